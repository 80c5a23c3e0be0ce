package dev.ttlstore.sample.operator;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.stereotype.Component;

/** Checks at the start, and not at each login, that the kind of the operator's password is known. */
@Component
class OperatorPassword {

    OperatorPassword(@Value("${spring.security.user.password:}") String password) {
        if (password.startsWith("{")) {
            try {
                PasswordEncoderFactories.createDelegatingPasswordEncoder().matches("x", password);
            } catch (IllegalArgumentException e) {
                // Omits the cause, which may quote the password.
                throw new IllegalStateException(
                        "'spring.security.user.password' starts with '{', but its kind is unknown. Hash it, such as"
                                + " '{bcrypt}$2y$10$…', or write '{noop}' before it");
            }
        }
    }
}
