package dev.ttlstore.spring.security;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of authorizations that have no token to say how long to keep them.
 *
 * @param pendingTtl how long an authorization without a token is kept, while the user is asked for consent
 * @param keepExpired how long an authorization with an ID token or a device code is kept after its last token has expired; zero keeps
 *     none
 * @since 0.1
 * @see StoreAuthorizationService
 */
public record AuthorizationSettings(Duration pendingTtl, Duration keepExpired) {

    /**
     * Checks the settings.
     *
     * @param pendingTtl how long an authorization without a token is kept, while the user is asked for consent
     * @param keepExpired how long an authorization with an ID token or a device code is kept after its last token has expired
     * @throws IllegalArgumentException if the first is not more than zero, or the second is negative
     */
    public AuthorizationSettings {
        Objects.requireNonNull(pendingTtl, "'pendingTtl' must not be null");
        Objects.requireNonNull(keepExpired, "'keepExpired' must not be null");
        if (pendingTtl.isZero() || pendingTtl.isNegative()) {
            throw new IllegalArgumentException("'pendingTtl' must be more than zero, but is " + pendingTtl);
        }
        if (keepExpired.isNegative()) {
            throw new IllegalArgumentException("'keepExpired' must not be negative, but is " + keepExpired);
        }
    }
}
