package dev.ttlstore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

@Promise(18)
class GroupPatternTests {

    @Test
    void aNameSelectsTheGroupOfThatFullName() {
        assertThat(new GroupPattern("secrets")).accepts("secrets").rejects("acme:secrets", "secrets2", "Secrets");
        assertThat(new GroupPattern("acme:mail")).accepts("acme:mail").rejects("mail", "umbrella:mail");
    }

    @Test
    void aStarAndAColonSelectTheGroupOfThatNameInEveryScope() {
        GroupPattern pattern = new GroupPattern("*:secrets");
        assertThat(pattern)
                .accepts("acme:secrets", "a-1:secrets", "A:secrets")
                .rejects("secrets", ":secrets", "acme:mail", "acme:more:secrets", "not a namespace:secrets", "acme:s");
        assertThat(pattern.isInEveryScope()).isTrue();
        assertThat(pattern.isAll()).isFalse();
        assertThat(pattern.name()).isEqualTo("secrets");
        assertThat(pattern).isEqualTo(GroupPattern.inEveryScope("secrets"));
    }

    @Test
    void theNameInEveryScopeMayHaveAColon() {
        assertThat(new GroupPattern("*:more:secrets"))
                .accepts("acme:more:secrets")
                .rejects("acme:secrets");
    }

    @Test
    void aStarSelectsAllGroups() {
        assertThat(new GroupPattern("*")).accepts("secrets", "acme:mail", "any thing", ":");
        assertThat(new GroupPattern("*").isAll()).isTrue();
        assertThat(new GroupPattern("*").isInEveryScope()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*:", "secret*", "acme:*", "**", "*:*", "a\0b", "*:a\0b", "*secrets"})
    void anythingElseIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> new GroupPattern(text));
    }

    @Test
    void aNameInEveryScopeMustBeGiven() {
        assertThatNullPointerException()
                .isThrownBy(() -> GroupPattern.inEveryScope(nothing()))
                .withMessageContaining("'name'");
    }

    /** Null where none is allowed, to see it refused. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }
}
