package dev.ttlstore.spring;

import java.time.Duration;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.messages.Message;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.oidc.authentication.logout.OidcLogoutToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.web.authentication.rememberme.PersistentRememberMeToken;
import org.springframework.session.FindByIndexNameSessionRepository;

import dev.ttlstore.Store;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.chatmemory.StoreChatMemoryRepository;
import dev.ttlstore.spring.lock.StoreLockRegistry;
import dev.ttlstore.spring.messagestore.StoreMessageStore;
import dev.ttlstore.spring.metadata.StoreMetadataStore;
import dev.ttlstore.spring.security.AuthorizationSettings;
import dev.ttlstore.spring.security.OidcLoginsKit;
import dev.ttlstore.spring.security.StoreAuthorizationService;
import dev.ttlstore.spring.security.StoreAuthorizedClientService;
import dev.ttlstore.spring.security.StoreOidcSessionRegistry;
import dev.ttlstore.spring.security.StoreOneTimeTokenService;
import dev.ttlstore.spring.security.StorePersistentTokenRepository;
import dev.ttlstore.spring.security.StoreReactiveOidcSessionRegistry;
import dev.ttlstore.spring.security.StoreReactiveOneTimeTokenService;
import dev.ttlstore.spring.session.StoreSession;
import dev.ttlstore.spring.session.StoreSessionRepository;
import dev.ttlstore.spring.session.StoreSessionSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Arguments that are null or blank have the effect that they have in Spring's own implementations. */
@SuppressWarnings({"NullAway", "JavaUtilDate"}) // null is the point, and dates are Spring Security's
class AbsentArgumentsTests {

    private static final Store STORE = Store.inMemory();
    private static final Duration DAY = Duration.ofDays(1);

    private static final ClientRegistration REGISTRATION = ClientRegistration.withRegistrationId("here")
            .clientId("client")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .tokenUri("https://server.example/token")
            .build();

    @AfterAll
    static void close() {
        STORE.close();
    }

    private static void assertRefused(Runnable... calls) {
        for (Runnable call : calls) {
            assertThatIllegalArgumentException().isThrownBy(call::run).withMessageContaining("must");
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " "})
    void ofAuthorizations(@Nullable String absent) {
        RegisteredClient client = RegisteredClient.withId("1")
                .clientId("client")
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .build();
        StoreAuthorizationService service = new StoreAuthorizationService(
                STORE,
                new InMemoryRegisteredClientRepository(client),
                new AuthorizationSettings(DAY, DAY),
                StoreAuthorizationService.jsonMapper(Set.of(), getClass().getClassLoader()));
        OAuth2Authorization none = null;
        assertRefused(
                () -> service.findById(absent),
                () -> service.findByToken(absent, null),
                () -> service.save(none),
                () -> service.remove(none));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " "})
    void ofAuthorizedClients(@Nullable String absent) {
        StoreAuthorizedClientService service =
                new StoreAuthorizedClientService(STORE, new InMemoryClientRegistrationRepository(REGISTRATION), DAY);
        OAuth2AuthorizedClient client = new OAuth2AuthorizedClient(
                REGISTRATION, "ann", new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, "a", null, null));
        assertRefused(
                () -> service.loadAuthorizedClient(absent, "ann"),
                () -> service.loadAuthorizedClient("here", absent),
                () -> service.removeAuthorizedClient(absent, "ann"),
                () -> service.removeAuthorizedClient("here", absent),
                () -> service.saveAuthorizedClient(null, new TestingAuthenticationToken("ann", "")),
                () -> service.saveAuthorizedClient(client, null));
    }

    @Test
    void ofLoginsAtProviders() {
        StoreOidcSessionRegistry registry = new StoreOidcSessionRegistry(STORE, DAY, OidcLoginsKit.users());
        StoreReactiveOidcSessionRegistry reactive =
                new StoreReactiveOidcSessionRegistry(STORE, DAY, OidcLoginsKit.users());
        String id = null;
        OidcLogoutToken logout = null;
        assertRefused(
                () -> registry.saveSessionInformation(null),
                () -> registry.removeSessionInformation(id),
                () -> registry.removeSessionInformation(logout),
                () -> reactive.saveSessionInformation(null),
                () -> reactive.removeSessionInformation(id),
                () -> reactive.removeSessionInformation(logout));
        assertThat(registry.removeSessionInformation("")).isNull();
    }

    @Test
    void ofOneTimeTokens() {
        StoreOneTimeTokenService service = new StoreOneTimeTokenService(STORE);
        GenerateOneTimeTokenRequest request = null;
        OneTimeTokenAuthenticationToken token = null;
        StoreReactiveOneTimeTokenService reactive = new StoreReactiveOneTimeTokenService(STORE);
        assertRefused(
                () -> service.generate(request),
                () -> service.consume(token),
                () -> reactive.generate(request),
                () -> reactive.consume(token));
        for (String absent : List.of("", " ")) {
            assertThat(service.consume(new OneTimeTokenAuthenticationToken(absent)))
                    .isNull();
        }
    }

    @Test
    void ofRememberedLogins() {
        StorePersistentTokenRepository repository = new StorePersistentTokenRepository(STORE, DAY);
        Date now = new Date();
        assertThat(repository.getTokenForSeries(null)).isNull();
        assertThat(repository.getTokenForSeries("")).isNull();
        repository.removeUserTokens(null);
        repository.removeUserTokens("");
        repository.updateToken(null, "token", now);
        assertRefused(
                () -> repository.createNewToken(null),
                () -> repository.createNewToken(new PersistentRememberMeToken(null, "series", "token", now)),
                () -> repository.createNewToken(new PersistentRememberMeToken("ann", null, "token", now)),
                () -> repository.createNewToken(new PersistentRememberMeToken("ann", "series", null, now)),
                () -> repository.createNewToken(new PersistentRememberMeToken("ann", "series", "token", null)),
                () -> repository.updateToken("series", null, now),
                () -> repository.updateToken("series", "token", null));
    }

    @Test
    void ofSessions() {
        StoreSessionRepository repository = new StoreSessionRepository(
                STORE,
                StoreSessionSettings.of(DAY, new JavaCodec(AllowedClasses.of(List.of()), "property", null)),
                event -> {});
        String index = FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME;
        assertThat(repository.findById(null)).isNull();
        assertThat(repository.findById("")).isNull();
        repository.deleteById(null);
        repository.deleteById("");
        assertThat(repository.findByIndexNameAndIndexValue(index, null)).isEmpty();
        assertThat(repository.findByIndexNameAndIndexValue(index, "")).isEmpty();
        assertThat(repository.findByIndexNameAndIndexValue(null, "ann")).isEmpty();
        assertThat(repository.findByPrincipalName(null)).isEmpty();

        StoreSession session = repository.createSession();
        assertThat(session.<Object>getAttribute(null)).isNull();
        session.removeAttribute(null);
        session.setAttribute(null, null);
        session.setAttribute("", "of an empty name");
        assertRefused(() -> session.setAttribute(null, "a"));
        repository.save(session);
        assertThat(repository.findById(session.getId()).getAttributeNames()).containsExactly("");
    }

    @Test
    void ofLocks() {
        StoreLockRegistry registry = new StoreLockRegistry(STORE, DAY);
        assertRefused(
                () -> registry.obtain(null),
                () -> registry.renewLock(null),
                () -> registry.fencingToken(null),
                () -> registry.setRenewalTaskScheduler(null));
        assertThat(registry.obtain("").tryLock()).isTrue();
        registry.obtain("").unlock();
    }

    @Test
    void ofMetadata() {
        StoreMetadataStore metadata = new StoreMetadataStore(STORE, Duration.ZERO);
        assertRefused(
                () -> metadata.get(null),
                () -> metadata.put(null, "a"),
                () -> metadata.put("a", null),
                () -> metadata.putIfAbsent(null, "a"),
                () -> metadata.putIfAbsent("a", null),
                () -> metadata.replace(null, "a", "b"),
                () -> metadata.replace("a", null, "b"),
                () -> metadata.replace("a", "a", null),
                () -> metadata.remove(null),
                () -> metadata.addListener(null));
        metadata.removeListener(null);
        metadata.put("", "");
        assertThat(metadata.get("")).isEmpty();
    }

    @Test
    void ofMessages() {
        StoreMessageStore messages =
                new StoreMessageStore(STORE, new JavaCodec(AllowedClasses.of(List.of()), "property", null));
        GenericMessage<String> message = new GenericMessage<>("Hello");
        GenericMessage<String> none = null;
        assertRefused(
                () -> messages.addMessage(none),
                () -> messages.getMessage(null),
                () -> messages.removeMessage(null),
                () -> messages.addMessagesToGroup(null, message),
                () -> messages.addMessagesToGroup("group", none),
                () -> messages.getMessageGroup(null),
                () -> messages.removeMessageGroup(null),
                () -> messages.removeMessagesFromGroup(
                        "group", (Collection<org.springframework.messaging.Message<?>>) null),
                () -> messages.removeMessageFromGroupById("group", null),
                () -> messages.getMessageFromGroup("group", null),
                () -> messages.pollMessageFromGroup(null));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " "})
    void ofChatMemory(@Nullable String absent) {
        StoreChatMemoryRepository memory = new StoreChatMemoryRepository(STORE, Duration.ZERO);
        List<Message> none = null;
        assertRefused(
                () -> memory.findByConversationId(absent),
                () -> memory.saveAll(absent, List.of()),
                () -> memory.saveAll("a", none),
                () -> memory.deleteByConversationId(absent));
    }
}
