package dev.ttlstore.spring.security;

import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.oauth2.client.oidc.authentication.logout.OidcLogoutToken;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.MovableClock;
import dev.ttlstore.spring.session.StoreSession;
import dev.ttlstore.spring.session.StoreSessionRepository;
import dev.ttlstore.spring.session.StoreSessionSettings;

import static dev.ttlstore.spring.security.OidcLoginsKit.login;
import static dev.ttlstore.spring.security.OidcLoginsKit.logoutAt;
import static dev.ttlstore.spring.security.OidcLoginsKit.logoutOf;
import static dev.ttlstore.spring.security.OidcLoginsKit.user;
import static dev.ttlstore.spring.security.OidcLoginsKit.users;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Logins at OpenID providers in a store in memory: what ours promises beyond the contract. */
@ExtendWith(OutputCaptureExtension.class)
class StoreOidcSessionRegistryTests extends OidcRegistryContract {

    static final Duration TTL = Duration.ofDays(30);
    private static final Duration INTERVAL = Duration.ofMinutes(30);

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();
    private final StoreOidcSessionRegistry registry = new StoreOidcSessionRegistry(store, TTL, users());

    @Override
    StoreOidcSessionRegistry registry() {
        return registry;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aLoginExpiresAfterTheTtlAndLeavesNothing() {
        save(login("one", "ann", "provider"));
        save(login("two", "ann", "provider"));
        clock.advance(TTL.minusMillis(1));
        assertThat(registry.removeSessionInformation("one")).isNotNull();
        clock.advance(Duration.ofMillis(1));
        assertThat(ended(logoutAt("provider"))).isEmpty();
        assertThat(registry.removeSessionInformation("two")).isNull();
        store.purgeExpired();
        assertThat(store.stats().entries()).isZero();
    }

    @Test
    void whatHasEndedLeavesNothing() {
        save(login("one", "ann", "provider"));
        save(login("one", "ben", "other"));
        save(login("two", "ann", "provider"));
        registry.moved("two", "three");
        assertThat(ended(logoutOf("ann"))).containsExactly("three");
        registry.ended("one");
        registry.ended("unknown");
        assertThat(store.count()).isZero();
    }

    @Test
    void aLoginMovesWithItsSession() {
        save(login("one", "ann", "provider"));
        registry.moved("one", "two");
        registry.moved("unknown", "three");
        assertThat(registry.removeSessionInformation("one")).isNull();
        assertThat(registry.removeSessionInformation(logoutAt("provider").build()))
                .singleElement()
                .satisfies(moved -> {
                    assertThat(moved.getSessionId()).isEqualTo("two");
                    assertThat(moved.getAuthorities()).containsValue("token of one");
                    assertThat(moved.getPrincipal())
                            .isEqualTo(login("one", "ann", "provider").getPrincipal());
                });
    }

    /** The user has logged in again, and the session has got its new id before it is saved. */
    @Test
    void aLoginDoesNotReplaceALaterOneOfItsSession() {
        save(login("one", "ann", "earlier"));
        save(login("two", "ann", "later"));
        registry.moved("one", "two");
        assertThat(ended(logoutAt("earlier"))).isEmpty();
        assertThat(ended(logoutAt("later"))).containsExactly("two");
        assertThat(store.count()).isZero();
    }

    @Test
    void aLoginReplacesOneThatCannotBeRead() {
        store.group(StoreOidcSessionRegistry.GROUP, Codec.bytes()).put(Hash.of("two"), new byte[] {1}, TTL);
        save(login("one", "ann", "provider"));
        registry.moved("one", "two");
        assertThat(ended(logoutAt("provider"))).containsExactly("two");
    }

    @Test
    void aLoginLivesAsLongAsItsSessionIsInUse() {
        save(login("one", "ann", "provider"));
        for (int i = 0; i < 9; i++) {
            clock.advance(TTL.dividedBy(3));
            registry.renewed("one", INTERVAL);
        }
        registry.renewed("unknown", INTERVAL);
        assertThat(ended(logoutAt("provider"))).containsExactly("one");
        assertThat(store.count()).isZero();
    }

    /** An interval longer than the ttl: two of them may pass before the next renewal. */
    @Test
    void aLoginOutlivesAnyIntervalOfItsSession() {
        save(login("one", "ann", "provider"));
        registry.renewed("one", TTL.multipliedBy(2));
        clock.advance(TTL.multipliedBy(4));
        assertThat(ended(logoutAt("provider"))).containsExactly("one");
    }

    /** A write for each would make each login cost as much as its session. */
    @Test
    void aRenewalThatMakesLittleDifferenceWritesNothing() {
        save(login("one", "ann", "provider"));
        Instant before = expiry();
        clock.advance(TTL.dividedBy(5));
        registry.renewed("one", INTERVAL);
        assertThat(expiry()).isEqualTo(before);
        clock.advance(TTL.dividedBy(10));
        registry.renewed("one", INTERVAL);
        assertThat(expiry()).isEqualTo(clock.instant().plus(TTL));
    }

    private Instant expiry() {
        return requireNonNull(store.group(StoreOidcSessionRegistry.GROUP, Codec.bytes())
                .entry(Hash.of("one"))
                .orElseThrow()
                .expiresAt());
    }

    /** Spring Session publishes no event for this; its session has the new id only when the request ends. */
    @Test
    void aLogoutFindsASessionOfTheStoreAfterItsIdHasChanged() {
        StoreSessionRepository sessions = sessions();
        StoreSession session = sessions.createSession();
        sessions.save(session);
        String before = session.getId();
        save(login(before, "ann", "provider"));
        String after = session.changeSessionId();
        sessions.save(session);
        assertThat(registry.removeSessionInformation(before)).isNull();
        assertThat(ended(logoutAt("provider"))).containsExactly(after);
    }

    @Test
    void aLoginEndsWithItsSessionOfTheStore() {
        StoreSessionRepository sessions = sessions();
        StoreSession session = sessions.createSession();
        sessions.save(session);
        save(login(session.getId(), "ann", "provider"));
        sessions.deleteById(session.getId());
        assertThat(store.count()).isZero();
    }

    private StoreSessionRepository sessions() {
        return new StoreSessionRepository(
                store,
                StoreSessionSettings.of(INTERVAL, new JavaCodec(AllowedClasses.of(List.of()), "property", null)),
                event -> {},
                null,
                List.of(registry));
    }

    @Test
    void ofManyLogoutsAtOnceOneGetsEachLogin() throws Exception {
        for (int round = 0; round < 5; round++) {
            save(login("one", "ann", "provider"));
            save(login("two", "ann", "other"));
            List<Callable<List<String>>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(() -> ended(logoutOf("ann")));
            }
            assertThat(Concurrently.call(callers).stream().flatMap(List::stream))
                    .containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void keysTellNothing() {
        save(login("secret-id", "secret-user", "secret-sid"));
        List<String> keys =
                store.groups().flatMap(group -> store.group(group).keys()).toList();
        assertThat(keys).hasSize(3).noneMatch(key -> key.contains("secret"));
    }

    @Test
    void aLoginThatCannotBeReadIsAbsentAndEndsWithItsSession(CapturedOutput output) {
        save(login("one", "secret-user", "provider"));
        var bytes = store.group(StoreOidcSessionRegistry.GROUP, Codec.bytes());
        String key = Hash.of("one");
        byte[] good = bytes.get(key).orElseThrow();
        byte[] ofOtherClass = new String(good, StandardCharsets.ISO_8859_1)
                .replace("DefaultOidcUser", "RemovedOidcUser")
                .getBytes(StandardCharsets.ISO_8859_1);
        for (byte[] bad : List.of(new byte[0], new byte[] {1}, Arrays.copyOf(good, good.length / 2), ofOtherClass)) {
            bytes.put(key, bad, TTL);
            assertThat(ended(logoutAt("provider"))).isEmpty();
            registry.renewed("one", INTERVAL);
            assertThat(bytes.contains(key)).isTrue(); // another release may be able to end it
            assertThat(registry.removeSessionInformation("one")).isNull();
            assertThat(bytes.contains(key)).isFalse();
        }
        assertThat(output)
                .contains("An entry of the group 'oidc-sessions' cannot be read; it counts as absent")
                .doesNotContain("secret");
        save(login("one", "ann", "provider"));
        assertThat(ended(logoutAt("provider"))).containsExactly("one");
    }

    /** A user of the application's own class, which nothing allows. */
    private static final class OwnUser extends DefaultOidcUser {

        @Serial
        private static final long serialVersionUID = 1L;

        private OwnUser(OidcUser user) {
            super(user.getAuthorities(), user.getIdToken(), user.getUserInfo());
        }
    }

    @Test
    void aUserWhoCouldNotBeReadLaterIsRefused() {
        OidcUser own = new OwnUser(user(token -> {}));
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> save(login("one", own)))
                .withMessageContaining(OwnUser.class.getName())
                .withMessageContaining("need a constructor")
                .withMessageNotContaining("secret-id-token");
        assertThat(store.count()).isZero();
    }

    @Test
    void theTtlMustBeMoreThanZero() {
        for (Duration ttl : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new StoreOidcSessionRegistry(store, ttl, users()))
                    .withMessageContaining("'ttl'");
        }
    }

    @Test
    void namesMayBeAnyTextOfAnyLength() {
        for (String text : List.of("\0", "\ud800", "x".repeat(5_000))) {
            OidcLogoutToken.Builder logout = logoutAt(text);
            save(login(text, "ann", "provider"));
            assertThat(ended(logoutAt("provider"))).containsExactly(text);
            assertThat(ended(logout)).isEmpty();
        }
    }
}
