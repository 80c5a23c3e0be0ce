package dev.ttlstore.spring;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.web.authentication.rememberme.PersistentRememberMeToken;
import org.springframework.session.FindByIndexNameSessionRepository;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
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

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** How often each call of an adapter waits for PostgreSQL, while nobody else changes the same. */
@Tag("postgresql")
class RoundTripsTests {

    private static final CountedPool COUNTED = new CountedPool();
    private static final HikariDataSource POOL = pool();
    private static final Store STORE = Store.builder()
            .engine(PostgreSql.on(COUNTED.of(POOL)).schema(TestDatabase.freshName()))
            .purgeInterval(Duration.ZERO)
            .open();

    /** A call now and then needs more, such as one that is late on a busy machine. */
    private static final int TRIES = 5;

    private final AtomicInteger names = new AtomicInteger();
    private final Instant now = Instant.now();

    private static HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(TestDatabase.dataSource());
        pool.setMaximumPoolSize(3);
        return pool;
    }

    @AfterAll
    static void close() {
        STORE.close();
        POOL.close();
    }

    @BeforeEach
    void warmUp() {
        for (int i = 0; i < 3; i++) {
            STORE.group("warm").put("key", "value");
            assertThat(STORE.group("warm").takeEntry("key")).isPresent();
        }
    }

    /** A call that comes after another one. */
    private interface Call<T> {
        void of(T before) throws Exception;
    }

    /** Counts the round trips of a call. What comes before is not counted. */
    private static <T> int trips(Callable<T> before, Call<T> call) throws Exception {
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            T argument = before.call();
            long unused = COUNTED.take();
            call.of(argument);
            fewest = Math.min(fewest, COUNTED.take());
        }
        return (int) fewest;
    }

    private String name() {
        return "name " + names.incrementAndGet();
    }

    @Test
    void aOneTimeTokenTakesOneToBeGeneratedAndOneToBeConsumed() throws Exception {
        OneTimeTokenService service = new StoreOneTimeTokenService(STORE);
        GenerateOneTimeTokenRequest request = new GenerateOneTimeTokenRequest("ann");
        assertThat(trips(this::name, name -> service.generate(request))).isEqualTo(1);
        assertThat(trips(
                        () -> service.generate(request).getTokenValue(),
                        token -> requireNonNull(service.consume(new OneTimeTokenAuthenticationToken(token)))))
                .isEqualTo(1);
        OneTimeTokenService newestOnly = new StoreOneTimeTokenService(STORE, true);
        assertThat(trips(this::name, name -> newestOnly.generate(request))).isEqualTo(2);
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // Spring Security asks for it
    void aRememberedLoginTakesOneToBeFoundAndOneToBeRenewed() throws Exception {
        StorePersistentTokenRepository logins = new StorePersistentTokenRepository(STORE, Duration.ofDays(14));
        Callable<String> created = () -> {
            String series = name();
            logins.createNewToken(new PersistentRememberMeToken("user of " + series, series, "token", new Date()));
            return series;
        };
        assertThat(trips(() -> null, none -> created.call())).isEqualTo(1);
        assertThat(trips(created, series -> requireNonNull(logins.getTokenForSeries(series))))
                .isEqualTo(1);
        assertThat(trips(
                        () -> requireNonNull(logins.getTokenForSeries(created.call())),
                        login -> logins.updateToken(login.getSeries(), "other", new Date())))
                .isEqualTo(1);
        assertThat(trips(created, series -> logins.updateToken(series, "other", new Date())))
                .as("not found before")
                .isEqualTo(2);
        assertThat(trips(created, series -> logins.removeUserTokens("user of " + series)))
                .isEqualTo(2);
    }

    private static final RegisteredClient CLIENT = RegisteredClient.withId("client")
            .clientId("client")
            .clientSecret("secret")
            .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
            .build();

    private static StoreAuthorizationService authorizations() {
        return new StoreAuthorizationService(
                STORE,
                new InMemoryRegisteredClientRepository(CLIENT),
                new AuthorizationSettings(Duration.ofMinutes(30), Duration.ofDays(1)),
                StoreAuthorizationService.jsonMapper(List.of(), RoundTripsTests.class.getClassLoader()));
    }

    private OAuth2AccessToken token(String value) {
        return new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, value, now, now.plus(Duration.ofHours(1)));
    }

    private OAuth2Authorization authorization(String id) {
        return OAuth2Authorization.withRegisteredClient(CLIENT)
                .id(id)
                .principalName("client")
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .accessToken(token("token of " + id))
                .build();
    }

    @Test
    void anAuthorizationTakesOneToBeSavedAndOneToBeFoundAgain() throws Exception {
        StoreAuthorizationService service = authorizations();
        StoreAuthorizationService other = authorizations();
        Callable<OAuth2Authorization> saved = () -> {
            OAuth2Authorization authorization = authorization(name());
            service.save(authorization);
            return authorization;
        };
        Callable<OAuth2Authorization> found =
                () -> requireNonNull(service.findById(saved.call().getId()));
        assertThat(trips(() -> authorization(name()), service::save)).as("new").isEqualTo(1);
        assertThat(trips(saved, one -> service.findById(one.getId()))).isEqualTo(1);
        assertThat(trips(saved, one -> find(service, one))).isEqualTo(1);
        assertThat(trips(saved, one -> find(other, one)))
                .as("saved by another instance")
                .isEqualTo(2);
        assertThat(trips(
                        found,
                        one -> service.save(OAuth2Authorization.from(one)
                                .accessToken(token("other token of " + one.getId()))
                                .build())))
                .isEqualTo(1);
        assertThat(trips(saved, service::save)).as("not found before").isEqualTo(2);
        assertThat(trips(found, service::remove)).isEqualTo(1);
    }

    private static void find(StoreAuthorizationService service, OAuth2Authorization authorization) {
        assertThat(service.findByToken("token of " + authorization.getId(), OAuth2TokenType.ACCESS_TOKEN))
                .isEqualTo(authorization);
    }

    @Test
    void anAuthorizedClientTakesOneForEachCall() throws Exception {
        ClientRegistration login = ClientRegistration.withRegistrationId("login")
                .clientId("client")
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .tokenUri("https://provider.example/token")
                .build();
        StoreAuthorizedClientService service = new StoreAuthorizedClientService(
                STORE, new InMemoryClientRegistrationRepository(login), Duration.ofDays(1));
        Callable<String> saved = () -> {
            String user = name();
            service.saveAuthorizedClient(
                    new OAuth2AuthorizedClient(login, user, token(user)), new TestingAuthenticationToken(user, ""));
            return user;
        };
        assertThat(trips(() -> null, none -> saved.call())).isEqualTo(1);
        assertThat(trips(saved, user -> requireNonNull(service.loadAuthorizedClient("login", user))))
                .isEqualTo(1);
        assertThat(trips(saved, user -> service.removeAuthorizedClient("login", user)))
                .isEqualTo(1);
    }

    @Test
    void aSessionTakesOneForEachCallAndTwoToBeDeleted() throws Exception {
        StoreSessionRepository sessions = new StoreSessionRepository(
                STORE,
                StoreSessionSettings.of(
                        Duration.ofMinutes(30), new JavaCodec(AllowedClasses.of(List.of()), "none", null)),
                event -> {});
        Callable<StoreSession> made = () -> {
            StoreSession session = sessions.createSession();
            session.setAttribute("cart", "full");
            session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, name());
            return session;
        };
        Callable<StoreSession> saved = () -> {
            StoreSession session = made.call();
            sessions.save(session);
            return session;
        };
        Callable<StoreSession> found =
                () -> requireNonNull(sessions.findById(saved.call().getId()));
        assertThat(trips(made, sessions::save)).as("new").isEqualTo(1);
        assertThat(trips(saved, session -> requireNonNull(sessions.findById(session.getId()))))
                .isEqualTo(1);
        assertThat(trips(found, session -> {
                    session.setLastAccessedTime(Instant.now());
                    sessions.save(session);
                }))
                .as("touched")
                .isEqualTo(1);
        assertThat(trips(found, session -> {
                    session.setAttribute("cart", "empty");
                    sessions.save(session);
                }))
                .as("changed")
                .isEqualTo(1);
        assertThat(trips(saved, session -> sessions.deleteById(session.getId())))
                .isEqualTo(2);
    }

    @Test
    void aLockOfARegistryTakesOneForEachCall() throws Exception {
        StoreLockRegistry locks = new StoreLockRegistry(STORE, Duration.ofMinutes(1));
        Callable<DistributedLock> held = () -> {
            DistributedLock lock = locks.obtain(name());
            lock.lock();
            return lock;
        };
        assertThat(trips(() -> locks.obtain(name()), lock -> assertThat(lock.tryLock())
                        .isTrue()))
                .isEqualTo(1);
        assertThat(trips(held, DistributedLock::unlock)).isEqualTo(1);
        Callable<String> heldName = () -> {
            String name = name();
            locks.obtain(name).lock();
            return name;
        };
        assertThat(trips(heldName, locks::renewLock)).isEqualTo(1);
    }

    @Test
    void aLockOfAScheduledTaskTakesOneForEachCall() throws Exception {
        StoreLockProvider provider = new StoreLockProvider(STORE);
        Callable<LockConfiguration> task =
                () -> new LockConfiguration(ClockProvider.now(), name(), Duration.ofHours(1), Duration.ZERO);
        Callable<SimpleLock> held = () -> provider.lock(task.call()).orElseThrow();
        assertThat(trips(task, provider::lock)).isEqualTo(1);
        assertThat(trips(held, SimpleLock::unlock)).isEqualTo(1);
        assertThat(trips(held, lock -> lock.extend(Duration.ofHours(2), Duration.ZERO)))
                .isEqualTo(1);
        LockConfiguration busy = task.call();
        assertThat(provider.lock(busy)).isPresent();
        assertThat(trips(() -> busy, provider::lock)).as("held by another").isEqualTo(1);
    }

    @Test
    void aBucketTakesOneOnceTheInstanceKnowsIt() throws Exception {
        StoreProxyManager<String> buckets = StoreProxyManager.builderFor(STORE).build();
        BucketConfiguration limit = BucketConfiguration.builder()
                .addLimit(bandwidth -> bandwidth.capacity(5).refillIntervally(5, Duration.ofDays(1)))
                .build();
        Callable<Bucket> used = () -> {
            Bucket bucket = buckets.builder().build(name(), () -> limit);
            assertThat(bucket.tryConsume(1)).isTrue();
            return bucket;
        };
        Callable<Bucket> known = () -> {
            Bucket bucket = used.call();
            assertThat(bucket.tryConsume(1)).isTrue();
            return bucket;
        };
        assertThat(trips(used, bucket -> bucket.tryConsume(1))).isEqualTo(2);
        assertThat(trips(known, bucket -> bucket.tryConsume(1))).isEqualTo(1);
        assertThat(trips(known, bucket -> assertThat(bucket.tryConsume(5)).isFalse()))
                .as("refused")
                .isEqualTo(1);
        assertThat(trips(known, Bucket::getAvailableTokens)).isEqualTo(1);
    }

    @Test
    void metadataTakesOneForEachCall() throws Exception {
        StoreMetadataStore metadata = new StoreMetadataStore(STORE, Duration.ZERO);
        Callable<String> present = () -> {
            String key = name();
            metadata.put(key, "seen");
            return key;
        };
        assertThat(trips(this::name, key -> metadata.put(key, "seen"))).isEqualTo(1);
        assertThat(trips(this::name, key -> metadata.putIfAbsent(key, "seen"))).isEqualTo(1);
        assertThat(trips(present, key -> metadata.putIfAbsent(key, "seen"))).isEqualTo(1);
        assertThat(trips(present, key -> {
                    String unused = metadata.get(key);
                }))
                .isEqualTo(1);
        assertThat(trips(present, key -> {
                    String unused = metadata.remove(key);
                }))
                .isEqualTo(1);
        assertThat(trips(present, key -> metadata.replace(key, "seen", "again")))
                .isEqualTo(1);
    }
}
