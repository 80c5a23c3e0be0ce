package dev.ttlstore.spring.keys;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;

class TextKeysTests {

    @Test
    void aTextThatAStoreAcceptsStandsForItself() {
        assertThat(Stream.of("key", "ä", "🙂", "#", "a".repeat(1_024), "ä".repeat(512)))
                .allSatisfy(text -> {
                    assertThat(TextKeys.of(text)).isEqualTo(text);
                    assertThat(TextKeys.isHash(TextKeys.of(text))).isFalse();
                });
    }

    @Test
    void anyOtherTextHasAKeyOfItsOwn() {
        Set<String> keys = Stream.of(
                        "",
                        "\0",
                        "a\0b",
                        "\ud800",
                        "\udc00",
                        "\ud800a",
                        "a".repeat(1_025),
                        "ä".repeat(513),
                        "🙂".repeat(257),
                        "b".repeat(100_000),
                        TextKeys.of(""))
                .map(TextKeys::of)
                .collect(Collectors.toSet());
        assertThat(keys).hasSize(11).allMatch(TextKeys::isHash);
        try (Store store = Store.inMemory()) {
            keys.forEach(key -> store.group("group").put(key, "value"));
            assertThat(store.group("group").count()).isEqualTo(11);
        }
    }
}
