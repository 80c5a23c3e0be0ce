package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Entry;
import dev.ttlstore.KeyRange;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Some of a group's entries: by their keys, by bounds and in order. */
@Promise(12)
abstract class RangeContract extends ContractArea {

    private static final List<String> KEYS = List.of("a", "b", "b%", "b_", "ba", "bb", "c", "d");

    @BeforeEach
    void fill() {
        for (int i = KEYS.size() - 1; i >= 0; i--) {
            group().put(KEYS.get(i), "value of " + KEYS.get(i));
        }
        store().group("grou").put("b", "elsewhere");
        store().group("group2").put("b", "elsewhere");
    }

    @Test
    void allKeysAndEntriesComeInOrder() {
        assertThat(group().keys()).containsExactlyElementsOf(KEYS);
        assertThat(group().entries().map(Entry::key)).containsExactlyElementsOf(KEYS);
        assertThat(group().entries().map(Entry::value)).allMatch(value -> value.startsWith("value of "));
        assertThat(keys(KeyRange.all())).isEqualTo(KEYS);
        assertThat(keys(KeyRange.prefix(""))).isEqualTo(KEYS);
        assertThat(keys(KeyRange.from(""))).isEqualTo(KEYS);
    }

    @Test
    void aRangeBeginsWithItsLowerBoundAndEndsBeforeItsUpperOneInBothDirections() {
        assertBothWays(KeyRange.between("b", "c"), "b", "b%", "b_", "ba", "bb");
        assertBothWays(KeyRange.between("a", "b"), "a");
        assertBothWays(KeyRange.between("aa", "b%"), "b");
        assertBothWays(KeyRange.between("", "b"), "a");
    }

    @Test
    void aHalfOpenRangeGoesOnToTheEnd() {
        assertBothWays(KeyRange.from("bb"), "bb", "c", "d");
        assertBothWays(KeyRange.from("bc"), "c", "d");
        assertBothWays(KeyRange.to("b%"), "a", "b");
        assertBothWays(KeyRange.to("e"), KEYS.toArray(new String[0]));
    }

    @Test
    void anEmptyRangeHasNothing() {
        assertBothWays(KeyRange.between("b", "b"));
        assertBothWays(KeyRange.between("bc", "bd"));
        assertBothWays(KeyRange.from("e"));
        assertBothWays(KeyRange.to("a"));
        assertBothWays(KeyRange.to(""));
        assertThat(store().group("empty").entries(KeyRange.all())).isEmpty();
    }

    @Test
    void anInvertedRangeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRange.between("b", "a"))
                .withMessageContaining("'from'");
        // By UTF-8 bytes a supplementary character comes behind U+FFFF, though its first char does not.
        assertThatIllegalArgumentException().isThrownBy(() -> KeyRange.between("\uD83D\uDD11", "\uFFFF"));
        assertThat(keys(KeyRange.between("\uFFFF", "\uD83D\uDD11"))).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRange.all().limit(-1))
                .withMessageContaining("'limit'");
        assertThatIllegalArgumentException().isThrownBy(() -> KeyRange.prefix("\0"));
        assertThatIllegalArgumentException().isThrownBy(() -> KeyRange.from("\uD83D"));
    }

    @Test
    void aPrefixIsNoPattern() {
        assertBothWays(KeyRange.prefix("b"), "b", "b%", "b_", "ba", "bb");
        assertBothWays(KeyRange.prefix("b%"), "b%");
        assertBothWays(KeyRange.prefix("b_"), "b_");
        assertBothWays(KeyRange.prefix("B"));
        assertBothWays(KeyRange.prefix("bbb"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\uD7FF", "\uFFFF", "\uDBFF\uDFFF", "x\uD7FF", "x\uFFFF", "x\uDBFF\uDFFF", "\u007F", "\u07FF"})
    void aPrefixMayEndWithTheLastCharacterOfItsKind(String prefix) {
        List<String> all = List.of(prefix, prefix + "\u0001", prefix + "a", prefix + "\uDBFF\uDFFF");
        all.forEach(key -> group().put(key, "value"));
        assertThat(keys(KeyRange.prefix(prefix))).isEqualTo(all);
        assertThat(keys(KeyRange.prefix(prefix).reversed())).isEqualTo(reversed(all));
        assertThat(keys(KeyRange.from(prefix))).containsAll(all);
    }

    @Test
    void theOrderIsThatOfUtf8Bytes() {
        List<String> keys = new ArrayList<>(List.of(
                "\u0001",
                " ",
                "A",
                "a",
                "z",
                "\u007F",
                "\u0080",
                "é",
                "\u07FF",
                "\u0800",
                "€",
                "\uD7FF",
                "\uE000",
                "\uFFFD",
                "\uFFFF",
                "\uD800\uDC00",
                "\uD83D\uDD11",
                "\uDBFF\uDFFF"));
        keys.forEach(key -> group().put("order" + key, "value"));
        keys.sort((a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)));
        List<String> expected = keys.stream().map(key -> "order" + key).toList();
        assertBothWays(KeyRange.prefix("order"), expected.toArray(new String[0]));
        assertThat(List.copyOf(group().getAll(expected).keySet())).isEqualTo(expected);
        assertThat(keys(KeyRange.between("order\uE000", "order\uD83D\uDD11")))
                .containsExactly("order\uE000", "order\uFFFD", "order\uFFFF", "order\uD800\uDC00");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 3, 8, 9, 300, Long.MAX_VALUE})
    void aLimitCountsInTheDirectionOfTheRange(long limit) {
        int count = (int) Math.min(limit, KEYS.size());
        assertThat(keys(KeyRange.all().limit(limit))).isEqualTo(KEYS.subList(0, count));
        assertThat(keys(KeyRange.all().limit(limit).reversed()))
                .isEqualTo(reversed(KEYS).subList(0, count));
        assertThat(keys(KeyRange.all().reversed().limit(limit)))
                .isEqualTo(reversed(KEYS).subList(0, count));
        assertThat(keys(KeyRange.all().reversed().reversed().limit(limit))).isEqualTo(KEYS.subList(0, count));
    }

    @Test
    @Promise(1)
    void whatHasExpiredIsInNoRangeAndCountsTowardsNoLimit() {
        group().expire("a", Duration.ofMillis(1));
        group().expire("bb", Duration.ofMillis(1));
        group().expire("d", Duration.ofMillis(2));
        advanceMillis(1);
        assertThat(group().keys()).containsExactly("b", "b%", "b_", "ba", "c", "d");
        assertBothWays(KeyRange.from("ba").limit(3), "ba", "c", "d");
        assertThat(group().page(null, 2)).extracting(Entry::key).containsExactly("b", "b%");
        assertThat(group().getAll(List.of("a", "b", "bb"))).containsOnlyKeys("b");
        assertThat(group().getAll(List.of("a"))).isEmpty();
        assertThat(group().entries(List.of("bb"))).isEmpty();
    }

    @Test
    @Promise(1)
    void anEntryThatExpiresWhileAStreamIsReadIsNotToldAsLiving() {
        group().expire("d", Duration.ofMillis(1));
        List<Entry<String>> seen = group().entries()
                .peek(entry -> clock.set(MovableClock.START.plusMillis(1)))
                .toList();
        assertThat(seen).extracting(Entry::key).containsExactlyElementsOf(KEYS.subList(0, 7));
    }

    @Test
    void someEntriesAreReadWithTheirVersionsAndTimes() {
        Map<String, Entry<String>> some = group().entries(List.of("d", "a", "missing", "a"));
        assertThat(some.keySet()).containsExactly("a", "d");
        assertThat(some.get("a")).isEqualTo(group().entry("a").orElseThrow());
        assertThat(group().entries(List.of())).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> group().entries(List.of("")));
        Entry<String> a = group().entry("a").orElseThrow();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> some.put("e", a));
        store().transactWithoutResult(tx -> {
            tx.group("group").put("e", "new");
            assertThat(tx.group("group").entries(List.of("a", "e"))).hasSize(2);
        });
    }

    @Test
    void someEntriesAreReadByTheirKeysInOrderAndOnce() {
        Map<String, String> some = group().getAll(List.of("d", "a", "missing", "a", "b%"));
        assertThat(some.keySet()).containsExactly("a", "b%", "d");
        assertThat(some).containsEntry("a", "value of a");
        assertThat(group().getAll(List.of())).isEmpty();
        assertThat(group().getAll(List.of("missing"))).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> group().getAll(List.of("a", "")));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> some.put("e", "value"));
    }

    @Test
    @Promise({8, 12})
    void someEntriesAreReadAtOneMoment() {
        group().putAll(Map.of("a", "0", "d", "0"));
        Threads.together(2, thread -> {
            for (int i = 1; i < 150; i++) {
                if (thread == 0) {
                    group().putAll(Map.of("a", "" + i, "d", "" + i));
                } else {
                    Map<String, String> seen = group().getAll(List.of("d", "a"));
                    assertThat(seen.get("a")).isEqualTo(seen.get("d"));
                }
            }
            return thread;
        });
    }

    private void assertBothWays(KeyRange range, String... expected) {
        assertThat(keys(range)).containsExactly(expected);
        assertThat(keys(range.reversed())).isEqualTo(reversed(List.of(expected)));
    }

    private List<String> keys(KeyRange range) {
        return group().entries(range).map(Entry::key).toList();
    }

    private static List<String> reversed(List<String> keys) {
        List<String> reversed = new ArrayList<>(keys);
        Collections.reverse(reversed);
        return reversed;
    }
}
