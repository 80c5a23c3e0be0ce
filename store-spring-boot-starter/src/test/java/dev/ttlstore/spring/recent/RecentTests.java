package dev.ttlstore.spring.recent;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** P24. */
class RecentTests {

    private static final long OF_THREE = 3 * (160 + 2 + 10);

    private final Recent<String> recent = new Recent<>(OF_THREE, String::length);

    @Test
    void whatWasUsedLastStays() {
        for (String key : List.of("a", "b", "c")) {
            recent.put(key, "1234567890");
        }
        assertThat(recent.get("a")).isNotNull();
        recent.put("d", "1234567890");
        assertThat(recent.get("b")).isNull();
        assertThat(List.of("a", "c", "d"))
                .allSatisfy(key -> assertThat(recent.get(key)).isNotNull());
    }

    @Test
    void itsBytesHaveABound() {
        recent.put("a", "1234567890");
        recent.put("b", "x".repeat(300));
        assertThat(recent.get("a")).isNull();
        assertThat(recent.get("b")).isNotNull();
        recent.put("c", "x".repeat(1_000));
        assertThat(recent.get("b")).isNull();
        assertThat(recent.get("c")).isNull();
    }

    @Test
    void whatIsReplacedOrRemovedTakesNoRoom() {
        for (int i = 0; i < 10; i++) {
            recent.put("a", "x".repeat(100 + i));
            assertThat(recent.remove("a")).isNotNull();
            assertThat(recent.remove("a")).isNull();
            recent.put("b", "1234567890");
        }
        recent.put("c", "1234567890");
        recent.put("d", "1234567890");
        assertThat(List.of("b", "c", "d"))
                .allSatisfy(key -> assertThat(recent.get(key)).isNotNull());
    }
}
