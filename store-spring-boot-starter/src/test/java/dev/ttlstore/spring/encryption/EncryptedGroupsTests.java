package dev.ttlstore.spring.encryption;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which groups are meant by {@code store.encryption.groups}. */
class EncryptedGroupsTests {

    private static EncryptedGroups of(String... configured) {
        return EncryptedGroups.of(List.of(configured));
    }

    @Test
    void aNameIsTheGroupOfThatFullNameAlone() {
        assertThat(of("secrets", "acme:mail"))
                .accepts("secrets", "acme:mail")
                .rejects("mail", "acme:secrets", "secrets2", "Secrets", "umbrella:mail");
    }

    @Test
    void aStarAndAColonAreEveryScope() {
        assertThat(of("*:secrets"))
                .accepts("acme:secrets", "a-1:secrets")
                .rejects(
                        "secrets",
                        ":secrets",
                        "acme:mail",
                        "acme:more:secrets",
                        "not a namespace:secrets",
                        "acme:secrets2");
        assertThat(of("*:more:secrets")).accepts("acme:more:secrets").rejects("acme:secrets");
    }

    @Test
    void aStarIsEveryGroup() {
        assertThat(of("secrets", "*")).accepts("secrets", "mail", "acme:mail", "any thing");
    }

    @Test
    void nothingIsNoGroup() {
        assertThat(of()).rejects("secrets", "acme:secrets");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*:", "secret*", "acme:*", "**", "*:*", "a\0b"})
    void whatIsNoneOfTheseIsRefusedByTheNameOfItsProperty(String configured) {
        assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
                .isThrownBy(() -> of("fine", configured))
                .withMessageContaining("store.encryption.groups[1]");
    }
}
