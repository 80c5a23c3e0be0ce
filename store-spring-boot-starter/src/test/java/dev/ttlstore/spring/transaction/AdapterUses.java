package dev.ttlstore.spring.transaction;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.web.authentication.rememberme.PersistentRememberMeToken;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.jcache.JCache;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.cache.StoreCache;
import dev.ttlstore.spring.cache.StoreCacheManager;
import dev.ttlstore.spring.cache.StoreCacheSettings;
import dev.ttlstore.spring.chatmemory.StoreChatMemoryRepository;
import dev.ttlstore.spring.idempotency.IdempotencyFilter;
import dev.ttlstore.spring.idempotency.IdempotencySettings;
import dev.ttlstore.spring.idempotency.RequestOwner;
import dev.ttlstore.spring.lock.StoreLockProvider;
import dev.ttlstore.spring.lock.StoreLockRegistry;
import dev.ttlstore.spring.messagestore.StoreMessageStore;
import dev.ttlstore.spring.metadata.StoreMetadataStore;
import dev.ttlstore.spring.ratelimit.StoreProxyManager;
import dev.ttlstore.spring.security.AuthorizationSettings;
import dev.ttlstore.spring.security.OidcLoginsKit;
import dev.ttlstore.spring.security.StoreAuthorizationConsentService;
import dev.ttlstore.spring.security.StoreAuthorizationService;
import dev.ttlstore.spring.security.StoreAuthorizedClientService;
import dev.ttlstore.spring.security.StoreOidcSessionRegistry;
import dev.ttlstore.spring.security.StoreOneTimeTokenService;
import dev.ttlstore.spring.security.StorePersistentTokenRepository;
import dev.ttlstore.spring.session.StoreSession;
import dev.ttlstore.spring.session.StoreSessionRepository;
import dev.ttlstore.spring.session.StoreSessionSettings;
import dev.ttlstore.spring.values.SpringValues;

import io.github.bucket4j.BucketConfiguration;
import jakarta.servlet.ServletException;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** What each adapter writes, for tests of where it does so. */
final class AdapterUses {

    private static final Duration HOUR = Duration.ofHours(1);

    private static final JavaCodec CODEC = new JavaCodec(AllowedClasses.of(List.of()), "property", null);

    private static final RegisteredClient CLIENT = RegisteredClient.withId("client")
            .clientId("client")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .build();

    private static final ClientRegistration REGISTRATION = ClientRegistration.withRegistrationId("login")
            .clientId("client")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .tokenUri("https://provider.example/token")
            .build();

    private static final OAuth2AccessToken TOKEN = new OAuth2AccessToken(
            OAuth2AccessToken.TokenType.BEARER,
            "token",
            Instant.now(),
            Instant.now().plus(HOUR));

    private AdapterUses() {}

    /** Writes by one adapter, always to the same key. */
    interface Use {

        /** Puts the entry, or changes it. */
        void write();

        /** Removes the entry; returns false if the adapter has no such method. */
        default boolean remove() {
            return false;
        }
    }

    /**
     * An adapter.
     *
     * @param name what it is for
     * @param takesPart whether it takes part in transactions of the application
     * @param on makes a use of a store
     */
    record Adapter(String name, boolean takesPart, Function<Store, Use> on) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Adapter> all() {
        return Stream.of(
                new Adapter("groups", true, AdapterUses::group),
                new Adapter("metadata", true, AdapterUses::metadata),
                new Adapter("chat memory", true, AdapterUses::chats),
                new Adapter("messages", true, AdapterUses::messages),
                new Adapter("sessions", false, Sessions::new),
                new Adapter("caches", false, AdapterUses::cache),
                new Adapter("JCache", false, AdapterUses::javaCache),
                new Adapter("idempotent requests", false, AdapterUses::requests),
                new Adapter("rate limits", false, AdapterUses::limits),
                new Adapter("locks of ShedLock", false, ShedLocks::new),
                new Adapter("lock registry", false, AdapterUses::locks),
                new Adapter("one-time tokens", false, OneTimeTokens::new),
                new Adapter("remember-me", false, AdapterUses::logins),
                new Adapter("authorizations", false, AdapterUses::authorizations),
                new Adapter("authorized clients", false, AdapterUses::clients),
                new Adapter("consents", false, AdapterUses::consents),
                new Adapter("logins at providers", false, AdapterUses::oidcLogins));
    }

    private static Use use(Runnable write, Runnable remove) {
        return new Use() {
            @Override
            public void write() {
                write.run();
            }

            @Override
            public boolean remove() {
                remove.run();
                return true;
            }
        };
    }

    private static Use group(Store store) {
        TextGroup group = store.group("texts");
        return use(() -> group.put("key", "value"), () -> group.delete("key"));
    }

    private static Use metadata(Store store) {
        StoreMetadataStore metadata = new StoreMetadataStore(store, HOUR);
        return use(() -> metadata.put("key", "value"), () -> metadata.remove("key"));
    }

    private static Use chats(Store store) {
        StoreChatMemoryRepository chats = new StoreChatMemoryRepository(store, HOUR);
        return use(
                () -> chats.saveAll("chat", List.of(new UserMessage("Hello"))),
                () -> chats.deleteByConversationId("chat"));
    }

    private static Use messages(Store store) {
        StoreMessageStore messages = new StoreMessageStore(
                store, new JavaCodec(AllowedClasses.of(SpringValues.OF_MESSAGING), "property", null));
        return use(
                () -> messages.addMessagesToGroup("group", new GenericMessage<>("Hello")),
                () -> messages.removeMessageGroup("group"));
    }

    private static final class Sessions implements Use {
        private final StoreSessionRepository sessions;
        private @Nullable StoreSession session;

        private Sessions(Store store) {
            sessions = new StoreSessionRepository(store, StoreSessionSettings.of(HOUR, CODEC), event -> {});
        }

        @Override
        public void write() {
            StoreSession written = session == null ? sessions.createSession() : session;
            written.setAttribute("time", System.nanoTime());
            sessions.save(written);
            session = written;
        }

        @Override
        public boolean remove() {
            if (session != null) {
                sessions.deleteById(session.getId());
            }
            return true;
        }
    }

    private static Use cache(Store store) {
        StoreCache cache = new StoreCacheManager(
                        store, name -> new StoreCacheSettings(Duration.ZERO, true, CODEC), List.of())
                .getCache("books");
        return use(() -> cache.put("key", "value"), () -> cache.evict("key"));
    }

    private static Use javaCache(Store store) {
        Cache<String, String> cache = JCache.of(store)
                .createCache("books", new MutableConfiguration<String, String>().setTypes(String.class, String.class));
        return use(() -> cache.put("key", "value"), () -> cache.remove("key"));
    }

    private static Use requests(Store store) {
        IdempotencyFilter filter =
                new IdempotencyFilter(store, IdempotencySettings.defaults(), RequestOwner.byLogin(), any -> null);
        return () -> {
            MockHttpServletRequest request = new MockHttpServletRequest("POST", "/payments");
            request.addHeader("Idempotency-Key", "key");
            try {
                filter.doFilter(request, new MockHttpServletResponse(), (sent, answered) -> answered.getOutputStream()
                        .print("paid"));
            } catch (ServletException | IOException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static Use limits(Store store) {
        StoreProxyManager<String> buckets = StoreProxyManager.builderFor(store).build();
        BucketConfiguration hourly = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(10).refillGreedy(10, HOUR))
                .build();
        return use(() -> buckets.builder().build("key", () -> hourly).tryConsume(1), () -> buckets.removeProxy("key"));
    }

    private static final class ShedLocks implements Use {
        private final StoreLockProvider locks;
        private Optional<SimpleLock> held = Optional.empty();

        private ShedLocks(Store store) {
            locks = new StoreLockProvider(store);
        }

        @Override
        public void write() {
            Optional<SimpleLock> lock =
                    locks.lock(new LockConfiguration(ClockProvider.now(), "name", HOUR, Duration.ZERO));
            held = lock.isPresent() ? lock : held;
        }

        @Override
        public boolean remove() {
            held.ifPresent(SimpleLock::unlock);
            return true;
        }
    }

    private static Use locks(Store store) {
        StoreLockRegistry locks = new StoreLockRegistry(store, HOUR);
        return use(
                () -> locks.obtain("name").tryLock(), () -> locks.obtain("name").unlock());
    }

    private static final class OneTimeTokens implements Use {
        private final StoreOneTimeTokenService tokens;
        private String token = "";

        private OneTimeTokens(Store store) {
            tokens = new StoreOneTimeTokenService(store);
        }

        @Override
        public void write() {
            token = tokens.generate(new GenerateOneTimeTokenRequest("ann")).getTokenValue();
        }

        @Override
        public boolean remove() {
            return tokens.consume(new OneTimeTokenAuthenticationToken(token)) != null;
        }
    }

    @SuppressWarnings("JavaUtilDate") // that is what Spring Security has
    private static Use logins(Store store) {
        StorePersistentTokenRepository logins = new StorePersistentTokenRepository(store, HOUR);
        return use(
                () -> {
                    if (logins.getTokenForSeries("series") == null) {
                        logins.createNewToken(new PersistentRememberMeToken("ann", "series", "first", new Date()));
                    } else {
                        logins.updateToken("series", "second", new Date());
                    }
                },
                () -> logins.removeUserTokens("ann"));
    }

    private static Use authorizations(Store store) {
        StoreAuthorizationService authorizations = new StoreAuthorizationService(
                store,
                new InMemoryRegisteredClientRepository(CLIENT),
                new AuthorizationSettings(HOUR, Duration.ZERO),
                StoreAuthorizationService.jsonMapper(List.of(), AdapterUses.class.getClassLoader()));
        OAuth2Authorization authorization = OAuth2Authorization.withRegisteredClient(CLIENT)
                .id("id")
                .principalName("client")
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .token(TOKEN)
                .build();
        return use(() -> authorizations.save(authorization), () -> authorizations.remove(authorization));
    }

    private static Use clients(Store store) {
        StoreAuthorizedClientService clients = new StoreAuthorizedClientService(
                store, new InMemoryClientRegistrationRepository(REGISTRATION), Duration.ZERO);
        return use(
                () -> clients.saveAuthorizedClient(
                        new OAuth2AuthorizedClient(REGISTRATION, "ann", TOKEN),
                        new TestingAuthenticationToken("ann", "")),
                () -> clients.removeAuthorizedClient("login", "ann"));
    }

    private static Use consents(Store store) {
        StoreAuthorizationConsentService consents = new StoreAuthorizationConsentService(store, Duration.ZERO);
        OAuth2AuthorizationConsent consent =
                OAuth2AuthorizationConsent.withId("client", "ann").scope("read").build();
        return use(() -> consents.save(consent), () -> consents.remove(consent));
    }

    private static Use oidcLogins(Store store) {
        StoreOidcSessionRegistry logins = new StoreOidcSessionRegistry(store, HOUR, OidcLoginsKit.users());
        return use(
                () -> logins.saveSessionInformation(OidcLoginsKit.login("one", "ann", "provider")),
                () -> logins.removeSessionInformation("one"));
    }
}
