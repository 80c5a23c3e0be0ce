package dev.ttlstore.sample;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Checks passwords as Spring Security does, but hashes with as few rounds as there may be. Its default takes a noticeable time for each
 * request on purpose.
 */
@TestConfiguration(proxyBeanMethods = false)
class FastPasswords {

    @Bean
    PasswordEncoder passwords() {
        PasswordEncoder usual = PasswordEncoderFactories.createDelegatingPasswordEncoder();
        PasswordEncoder fast = new BCryptPasswordEncoder(4);
        return new PasswordEncoder() {
            @Override
            public @Nullable String encode(@Nullable CharSequence password) {
                return "{bcrypt}" + fast.encode(password);
            }

            @Override
            public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
                return usual.matches(password, encoded);
            }
        };
    }
}
