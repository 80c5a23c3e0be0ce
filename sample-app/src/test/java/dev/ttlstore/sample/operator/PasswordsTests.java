package dev.ttlstore.sample.operator;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import dev.ttlstore.sample.web.SecretsProperties;

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

    @ParameterizedTest
    @CsvSource({"'', pass", "alice, ''", "admin, pass"})
    void aSenderWithoutNameOrPasswordOrWithTheNameOfTheOperatorIsToldAtTheStart(String name, String password) {
        InMemoryUserDetailsManager users = new InMemoryUserDetailsManager(User.withUsername("admin")
                .password("{noop}pass")
                .roles("OPERATOR")
                .build());
        SecretsProperties properties = new Binder(new MapConfigurationPropertySource(
                        Map.of("secrets.senders[0].name", name, "secrets.senders[0].password", password)))
                .bind("secrets", SecretsProperties.class)
                .get();
        assertThatIllegalStateException()
                .isThrownBy(() -> new SenderLogins(users, properties, "pass"))
                .withMessageContaining("secrets.senders");
    }
}
