package dev.ttlstore.sample;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.stereotype.Component;

/** Says at the start, and not at each login, that the operator's password is not of a kind that is known. */
@Component
class OperatorPassword {

    OperatorPassword(@Value("${spring.security.user.password:}") String password) {
        if (password.startsWith("{")) {
            try {
                PasswordEncoderFactories.createDelegatingPasswordEncoder().matches("x", password);
            } catch (IllegalArgumentException e) {
                // Without the cause, which may quote it.
                throw new IllegalStateException(
                        "'spring.security.user.password' begins with '{' and is of no kind that is"
                                + " known. Hash it, such as '{bcrypt}$2y$10$…', or put '{noop}' in front of it");
            }
        }
    }
}
