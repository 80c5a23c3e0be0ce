package dev.ttlstore.spring.security;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;

import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;

import static dev.ttlstore.spring.security.Authorizations.access;
import static dev.ttlstore.spring.security.Authorizations.code;
import static dev.ttlstore.spring.security.Authorizations.deviceCode;
import static dev.ttlstore.spring.security.Authorizations.idToken;
import static dev.ttlstore.spring.security.Authorizations.pending;
import static dev.ttlstore.spring.security.Authorizations.refresh;
import static dev.ttlstore.spring.security.Authorizations.userCode;
import static dev.ttlstore.spring.security.Authorizations.withState;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Authorizations in a store in memory. */
class StoreAuthorizationServiceTests extends AuthorizationsContract {

    private static final String CLAIMS = OAuth2Authorization.Token.CLAIMS_METADATA_NAME;

    private static final Duration MILLI = Duration.ofMillis(1);

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();

    @Override
    Store store() {
        return store;
    }

    @Override
    Instant now() {
        return clock.instant().plusNanos(123_456);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Asserts that an authorization is found for a time, and that nothing of it is left then. */
    private void assertLives(OAuth2Authorization authorization, Duration time, String token) {
        service().save(authorization);
        clock.advance(time);
        assertThat(service().findById(authorization.getId())).isNotNull();
        assertThat(service().findByToken(token, null)).isNotNull();
        clock.advance(MILLI);
        assertThat(service().findById(authorization.getId())).isNull();
        assertThat(service().findByToken(token, null)).isNull();
        store.purgeExpired();
        assertThat(store.stats().entries()).isZero();
    }

    @Test
    void anAuthorizationExpiresWithTheLastOfItsTokens() {
        OAuth2Authorization.Builder issued = pending("id").token(code("code", now()));
        assertLives(issued.build(), Duration.ofMinutes(5), "code");
        issued = pending("id").token(code("code", now())).token(access("access", now()));
        assertLives(issued.token(refresh("refresh", now())).build(), Duration.ofHours(1), "code");
    }

    /** A code that is used again, and an access token that is revoked or introspected, are found after they have expired. */
    @Test
    void tokensThatHaveExpiredAreFoundWhileAnotherIsValid() {
        service()
                .save(pending("id")
                        .token(code("code", now()))
                        .token(access("access", now()))
                        .token(refresh("refresh", now()))
                        .build());
        clock.advance(Duration.ofMinutes(59));
        assertThat(find("code", "code")).isNotNull();
        assertThat(find("access", "access_token")).isNotNull();
    }

    @Test
    void anAuthorizationWithoutATokenExpiresAfterItsTtl() {
        assertLives(withState("id", "state").build(), SETTINGS.pendingTtl().minus(MILLI), "state");
    }

    /** With an expired ID token a user can still log out. */
    @Test
    void anAuthorizationWithAnIdTokenIsKeptAfterItsLastTokenHasExpired() {
        assertLives(
                pending("id")
                        .token(access("access", now()))
                        .token(idToken("id-token", now()), claims -> claims.put(CLAIMS, Map.of("sub", "ann")))
                        .build(),
                Duration.ofMinutes(30).plusDays(1),
                "id-token");
    }

    /** A device that asks again learns that its code has expired, and not that there is none. */
    @Test
    void anAuthorizationWithADeviceCodeIsKeptAfterItHasExpired() {
        assertLives(
                pending("id")
                        .token(deviceCode("device", now()))
                        .token(userCode("user", now()))
                        .build(),
                Duration.ofMinutes(5).plusDays(1),
                "device");
    }

    @Test
    void anAuthorizationWithATokenThatDoesNotExpireStays() {
        service()
                .save(pending("id")
                        .token(access("access", now()))
                        .token(new OAuth2RefreshToken("refresh", now()))
                        .build());
        clock.advance(Duration.ofDays(10_000));
        assertThat(find("refresh", "refresh_token")).isNotNull();
    }

    @Test
    void anAuthorizationThatIsSavedTooLateLeavesNothing() {
        OAuth2Authorization late = pending("id").token(access("access", now())).build();
        clock.advance(Duration.ofDays(1));
        service().save(late);
        assertThat(service().findById("id")).isNull();
        store.purgeExpired();
        assertThat(store.stats().entries()).isZero();
    }

    @Test
    void timesThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AuthorizationSettings(Duration.ZERO, MILLI))
                .withMessageContaining("'pendingTtl'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AuthorizationSettings(MILLI, MILLI.negated()))
                .withMessageContaining("'keepExpired'");
    }
}
