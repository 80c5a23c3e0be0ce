package dev.ttlstore.sample.operator;

import org.springframework.security.crypto.factory.PasswordEncoderFactories;

/** Passwords as they are configured: hashed, such as {@code {bcrypt}$2y$10$…}, or plain. */
final class Passwords {

    private Passwords() {}

    /**
     * Returns a password as Spring Security expects it, with its kind.
     *
     * @throws IllegalStateException if the kind is unknown: at the start, and not at each login
     */
    static String check(String property, String password) {
        if (!password.startsWith("{")) {
            return "{noop}" + password;
        }
        try {
            PasswordEncoderFactories.createDelegatingPasswordEncoder().matches("x", password);
        } catch (IllegalArgumentException e) {
            // Omits the cause, which may quote the password.
            throw new IllegalStateException("'" + property + "' starts with '{', but its kind is unknown. Hash it, such"
                    + " as '{bcrypt}$2y$10$…', or write '{noop}' before it");
        }
        return password;
    }
}
