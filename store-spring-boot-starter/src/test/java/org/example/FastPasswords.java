package org.example;

import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

import static java.util.Objects.requireNonNull;

/** Passwords of tests. Spring Security's default takes a noticeable time for each of them on purpose, and again at each start. */
public final class FastPasswords {

    /** Encodes them, with as few rounds as there may be. */
    public static final PasswordEncoder ENCODER = new BCryptPasswordEncoder(4);

    private FastPasswords() {}

    public static String encode(String password) {
        return requireNonNull(ENCODER.encode(password));
    }
}
