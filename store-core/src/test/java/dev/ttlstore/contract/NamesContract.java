package dev.ttlstore.contract;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Which keys and group names there can be, and in which order. */
@Promise(12)
abstract class NamesContract extends ContractArea {

    static List<String> longestNames() {
        return List.of("k".repeat(1_024), "é".repeat(512), "€".repeat(341) + "x", "🔑".repeat(256));
    }

    static List<String> namesThatAreNone() {
        return List.of(
                "",
                "k".repeat(1_025),
                "é".repeat(512) + "x",
                "€".repeat(342),
                "🔑".repeat(256) + "x",
                "\0",
                "a\0b",
                "\uD83D",
                "a\uD83Db",
                "\uDD11",
                "\uDD11\uD83D");
    }

    @ParameterizedTest
    @MethodSource("longestNames")
    void aNameOf1024BytesIsAccepted(String name) {
        assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSize(1_024);
        store().group(name).put(name, "value");
        assertThat(store().group(name).get(name)).contains("value");
        assertThat(store().group(name).getAll()).containsOnlyKeys(name);
        assertThat(store().groups()).containsExactly(name);
        assertThat(store().group(name).take(name)).contains("value");
    }

    @ParameterizedTest
    @MethodSource("namesThatAreNone")
    void aNameThatIsEmptyTooLongOrNoTextIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().group(name))
                .withMessageContaining("'group'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().put(name, "value"))
                .withMessageContaining("'key'");
        assertThatIllegalArgumentException().isThrownBy(() -> group().get(name));
        assertThatIllegalArgumentException().isThrownBy(() -> group().entry(name));
        assertThatIllegalArgumentException().isThrownBy(() -> group().contains(name));
        assertThatIllegalArgumentException().isThrownBy(() -> group().delete(name));
        assertThatIllegalArgumentException().isThrownBy(() -> group().take(name));
        assertThatIllegalArgumentException().isThrownBy(() -> group().persist(name));
        assertThat(store().count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "_", "*", "?", ":", "a:b", "[a-z]", "'", "\"", "\\", ";--", " ", "\n", "\uFFFD", "."})
    void noCharacterHasASpecialMeaning(String name) {
        store().group("x").put("x", "other");
        store().group("axb").put("axb", "other");
        assertThat(store().group(name).count()).isZero();
        assertThat(store().group("x").get(name)).isEmpty();

        store().group(name).put(name, "value");
        store().group(name).put(name + name, "value");
        assertThat(store().group(name).getAll()).containsOnlyKeys(name, name + name);
        assertThat(store().group(name).delete(name)).isTrue();
        assertThat(store().group(name).clear()).isEqualTo(1);
        assertThat(store().count()).isEqualTo(2);
    }

    @Test
    void caseCounts() {
        store().group("acme").put("key", "lower");
        store().group("Acme").put("key", "upper");
        store().group("Acme").put("KEY", "other");
        assertThat(store().group("acme").getAll()).containsOnlyKeys("key");
        assertThat(store().group("Acme").getAll()).containsOnlyKeys("KEY", "key");
        assertThat(store().group("acme").clear()).isEqualTo(1);
        assertThat(store().groups()).containsExactly("Acme");
    }

    @Test
    void namesThatLookAlikeDifferWhenTheirBytesDo() {
        group().put("\u00E9", "composed");
        group().put("e\u0301", "decomposed");
        group().put("1", "digit");
        group().put("01", "digits");
        assertThat(group().count()).isEqualTo(4);
        assertThat(group().get("\u00E9")).contains("composed");
        assertThat(group().get("1")).contains("digit");
    }

    @Test
    void orderIsThatOfTheUtf8Bytes() {
        // In UTF-16, which Java compares by, the key symbol (a surrogate pair) would come before U+FF21 and U+FFFD.
        List<String> ordered = List.of("B", "a", "aa", "z", "é", "я", "€", "\uE000", "\uFF21", "\uFFFD", "😀", "🔑🔑");
        List<String> byBytes = ordered.stream()
                .sorted((left, right) -> Arrays.compareUnsigned(
                        left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8)))
                .toList();
        List<String> byChars = ordered.stream().sorted().toList();
        assertThat(byChars).isNotEqualTo(byBytes);

        for (String name : byChars) {
            group().put(name, "value");
            store().group(name).put("key", "value");
        }
        assertThat(group().getAll().keySet()).containsExactlyElementsOf(byBytes);
        assertThat(store().groups().filter(name -> !name.equals("group"))).containsExactlyElementsOf(byBytes);
    }
}
