package dev.ttlstore.sample.operator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class PasswordsTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "pass",
                "pa{ss",
                "{noop}pass",
                "{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG"
            })
    void isAsItIsOrHashed(String password) {
        assertThatCode(() -> Passwords.check("spring.security.user.password", password))
                .doesNotThrowAnyException();
    }

    @Test
    void ofAnotherKindIsToldAtTheStartAndNotQuoted() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Passwords.check("spring.security.user.password", "{marker}pass"))
                .withMessageContaining("spring.security.user.password")
                .withMessageContaining("{bcrypt}")
                .withMessageNotContaining("marker")
                .withNoCause();
    }
}
