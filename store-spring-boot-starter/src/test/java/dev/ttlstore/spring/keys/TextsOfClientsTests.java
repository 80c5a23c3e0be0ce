package dev.ttlstore.spring.keys;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
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
import dev.ttlstore.jcache.JCache;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.cache.StoreCache;
import dev.ttlstore.spring.cache.StoreCacheManager;
import dev.ttlstore.spring.cache.StoreCacheSettings;
import dev.ttlstore.spring.chatmemory.StoreChatMemoryRepository;
import dev.ttlstore.spring.idempotency.IdempotencyFilter;
import dev.ttlstore.spring.idempotency.IdempotencySettings;
import dev.ttlstore.spring.lock.StoreLockProvider;
import dev.ttlstore.spring.lock.StoreLockRegistry;
import dev.ttlstore.spring.metadata.StoreMetadataStore;
import dev.ttlstore.spring.ratelimit.StoreProxyManager;
import dev.ttlstore.spring.security.AuthorizationSettings;
import dev.ttlstore.spring.security.StoreAuthorizationService;
import dev.ttlstore.spring.security.StoreAuthorizedClientService;
import dev.ttlstore.spring.security.StoreOneTimeTokenService;
import dev.ttlstore.spring.security.StorePersistentTokenRepository;
import dev.ttlstore.spring.session.StoreSession;
import dev.ttlstore.spring.session.StoreSessionRepository;
import dev.ttlstore.spring.session.StoreSessionSettings;

import io.github.bucket4j.BucketConfiguration;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Texts that clients send, such as names, ids and headers: whatever they are, each adapter knows them apart, and none fails. */
class TextsOfClientsTests {

    private static final Duration HOUR = Duration.ofHours(1);

    private static final JavaCodec CODEC = new JavaCodec(AllowedClasses.of(List.of()), "property", null);

    private final Store store = Store.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    static Stream<String> texts() {
        return Stream.of(
                "\0",
                "a\0b",
                "\ud800",
                "ann\udc00",
                "a".repeat(1_025),
                "ä".repeat(513),
                "b".repeat(100_000),
                TextKeys.of(""));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void isTheIdOfAConversation(String text) {
        StoreChatMemoryRepository chats = new StoreChatMemoryRepository(store, HOUR);
        chats.saveAll(text, List.of(new UserMessage("Hello")));
        chats.saveAll("plain", List.of(new UserMessage("Hi"), new UserMessage("Ho")));
        assertThat(chats.findConversationIds()).containsExactlyInAnyOrder(text, "plain");
        assertThat(chats.findByConversationId(text))
                .singleElement()
                .extracting("text")
                .isEqualTo("Hello");
        chats.deleteByConversationId(text);
        assertThat(chats.findByConversationId(text)).isEmpty();
        assertThat(chats.findConversationIds()).containsExactly("plain");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void isAKeyOfMetadata(String text) {
        StoreMetadataStore metadata = new StoreMetadataStore(store, HOUR);
        assertThat(metadata.putIfAbsent(text, "value")).isNull();
        assertThat(metadata.get(text)).isEqualTo("value");
        assertThat(metadata.get(text + "?")).isNull();
        assertThat(metadata.remove(text)).isEqualTo("value");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void isTheNameOfALock(String text) {
        StoreLockRegistry one = new StoreLockRegistry(store, HOUR);
        StoreLockRegistry other = new StoreLockRegistry(store, HOUR);
        assertThat(one.obtain(text).tryLock()).isTrue();
        assertThat(other.obtain(text).tryLock()).isFalse();
        assertThat(other.obtain(text + "?").tryLock()).isTrue();
        one.obtain(text).unlock();
        LockConfiguration job = new LockConfiguration(ClockProvider.now(), text, HOUR, Duration.ZERO);
        assertThat(new StoreLockProvider(store).lock(job)).isPresent();
        assertThat(new StoreLockProvider(store).lock(job)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("texts")
    void isTheKeyOfABucket(String text) {
        StoreProxyManager<String> buckets = StoreProxyManager.builderFor(store).build();
        BucketConfiguration once = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(1).refillGreedy(1, HOUR))
                .build();
        assertThat(buckets.builder().build(text, () -> once).tryConsume(1)).isTrue();
        assertThat(buckets.builder().build(text, () -> once).tryConsume(1)).isFalse();
        assertThat(buckets.builder().build(text + "?", () -> once).tryConsume(1))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("texts")
    void isAKeyOfACache(String text) {
        StoreCache cache = new StoreCacheManager(store, name -> new StoreCacheSettings(HOUR, true, CODEC), List.of())
                .getCache("books");
        cache.put(text, "value");
        assertThat(cache.get(text, String.class)).isEqualTo("value");
        assertThat(cache.get(text + "?")).isNull();
        Cache<String, String> javaCache = JCache.of(store)
                .createCache("books", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
        javaCache.put(text, "value");
        assertThat(javaCache.get(text)).isEqualTo("value");
        assertThat(javaCache.iterator().next().getKey()).isEqualTo(text);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void isTheNameOfASessionsUserAndTheIdOfNoSession(String text) {
        StoreSessionRepository sessions =
                new StoreSessionRepository(store, StoreSessionSettings.of(HOUR, CODEC), event -> {});
        StoreSession session = sessions.createSession();
        session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, text);
        sessions.save(session);
        assertThat(sessions.findByPrincipalName(text)).containsOnlyKeys(session.getId());
        assertThat(sessions.findByPrincipalName(text + "?")).isEmpty();
        assertThat(sessions.findById(text)).isNull();
        sessions.deleteById(text);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void isTheNameOfAUserWhoLogsInAndNoToken(String text) {
        StoreOneTimeTokenService tokens = new StoreOneTimeTokenService(store);
        OneTimeToken token = tokens.generate(new GenerateOneTimeTokenRequest(text));
        assertThat(tokens.consume(new OneTimeTokenAuthenticationToken(text))).isNull();
        assertThat(tokens.consume(new OneTimeTokenAuthenticationToken(token.getTokenValue())))
                .extracting(OneTimeToken::getUsername)
                .isEqualTo(text);
        StorePersistentTokenRepository logins = new StorePersistentTokenRepository(store, HOUR);
        logins.createNewToken(new PersistentRememberMeToken(text, text, "token", Date.from(Instant.now())));
        assertThat(logins.getTokenForSeries(text))
                .extracting(PersistentRememberMeToken::getUsername)
                .isEqualTo(text);
        assertThat(logins.getTokenForSeries(text + "?")).isNull();
        logins.removeUserTokens(text);
        assertThat(logins.getTokenForSeries(text)).isNull();
    }

    private static final RegisteredClient CLIENT = RegisteredClient.withId("client")
            .clientId("client")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .build();

    private static final ClientRegistration REGISTRATION = ClientRegistration.withRegistrationId("login")
            .clientId("client")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .tokenUri("https://provider.example/token")
            .build();

    @ParameterizedTest
    @MethodSource("texts")
    void isTheNameOfAnOAuth2UserAndAToken(String text) {
        OAuth2AccessToken token = new OAuth2AccessToken(
                OAuth2AccessToken.TokenType.BEARER,
                text,
                Instant.now(),
                Instant.now().plus(HOUR));
        StoreAuthorizationService authorizations = new StoreAuthorizationService(
                store,
                new InMemoryRegisteredClientRepository(CLIENT),
                new AuthorizationSettings(HOUR, Duration.ZERO),
                StoreAuthorizationService.jsonMapper(List.of(), TextsOfClientsTests.class.getClassLoader()));
        assertThat(authorizations.findByToken(text, null)).isNull();
        OAuth2Authorization authorization = OAuth2Authorization.withRegisteredClient(CLIENT)
                .id(text)
                .principalName(text)
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .attributes(attributes -> attributes.put("state", text))
                .token(token)
                .build();
        authorizations.save(authorization);
        assertThat(authorizations.findById(text)).isEqualTo(authorization);
        assertThat(authorizations.findByToken(text, null)).isEqualTo(authorization);
        assertThat(authorizations.findByToken(text + "?", null)).isNull();
        StoreAuthorizedClientService clients = new StoreAuthorizedClientService(
                store, new InMemoryClientRegistrationRepository(REGISTRATION), Duration.ZERO);
        clients.saveAuthorizedClient(
                new OAuth2AuthorizedClient(REGISTRATION, text, token), new TestingAuthenticationToken(text, ""));
        assertThat(clients.<OAuth2AuthorizedClient>loadAuthorizedClient("login", text))
                .extracting(client -> client.getAccessToken().getTokenValue())
                .isEqualTo(text);
        assertThat(clients.<OAuth2AuthorizedClient>loadAuthorizedClient("login", text + "?"))
                .isNull();
    }

    @ParameterizedTest
    @MethodSource("texts")
    void ownsAnIdempotencyKey(String text) throws Exception {
        IdempotencyFilter filter = new IdempotencyFilter(
                store, IdempotencySettings.defaults(), request -> request.getHeader("Owner"), any -> null);
        AtomicInteger payments = new AtomicInteger();
        String another =
                new String(text.getBytes(UTF_8), UTF_8) + (UTF_8.newEncoder().canEncode(text) ? "?" : "");
        for (Map.Entry<String, Integer> owner :
                List.of(Map.entry(text, 1), Map.entry(text, 1), Map.entry(another, 2))) {
            MockHttpServletRequest request = new MockHttpServletRequest("POST", "/payments");
            request.addHeader("Idempotency-Key", "key");
            request.addHeader("Owner", owner.getKey());
            MockHttpServletResponse response = new MockHttpServletResponse();
            filter.doFilter(
                    request, response, (sent, answered) -> answered.getWriter().print(payments.incrementAndGet()));
            assertThat(response.getContentAsString()).isEqualTo(owner.getValue().toString());
        }
    }

    @Test
    void anEmptyTextIsOneToo() {
        StoreMetadataStore metadata = new StoreMetadataStore(store, HOUR);
        metadata.put("", "value");
        assertThat(metadata.get("")).isEqualTo("value");
        assertThat(new StoreLockRegistry(store, HOUR).obtain("").tryLock()).isTrue();
        assertThat(new StoreOneTimeTokenService(store).consume(new OneTimeTokenAuthenticationToken("")))
                .isNull();
        assertThat(new StorePersistentTokenRepository(store, HOUR).getTokenForSeries(""))
                .isNull();
        // Spring AI's own repositories refuse it.
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreChatMemoryRepository(store, HOUR).findByConversationId(""));
    }
}
