package dev.ttlstore.engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(18)
class NamespacesTests {

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "0", "-", "tenant-1", "Tenant-1"})
    void lettersDigitsAndHyphensMakeANamespace(String name) {
        assertThat(Namespaces.isName(name)).isTrue();
        assertThat(Namespaces.of(name + ":group")).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a_b", "a.b", "a:b", "a%", "*", "ä", "а", "a\n", "\na", "١"})
    void nothingElseDoes(String name) {
        assertThat(Namespaces.isName(name)).isFalse();
        assertThat(Namespaces.of(name + ":group")).isNotEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"a:group, a", "a:b:c, a", "A:group, A", "a::b, a"})
    void aGroupIsInTheNamespaceBeforeItsFirstColon(String group, String namespace) {
        assertThat(Namespaces.of(group)).isEqualTo(namespace);
    }

    @ParameterizedTest
    @ValueSource(strings = {"group", "a", ":group", ":", "a b:group", "a_b:c:d", "::"})
    void otherGroupsAreInNone(String group) {
        assertThat(Namespaces.of(group)).isNull();
    }

    @Test
    void theGroupsOfANamespaceAreThoseAndNoOthers() {
        GroupRange groups = Namespaces.groups("a");
        assertThat(new String[] {"a:", "a:b", "a:b:c", "a:\uD83D\uDD11", "a::"}).allMatch(groups::contains);
        assertThat(new String[] {"a", "A:b", "aa:b", "b:b", "a;", "a-:b", "", ":a:b"})
                .noneMatch(groups::contains);
    }
}
