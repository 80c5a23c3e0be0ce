package dev.ttlstore.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.CompositeKey;
import dev.ttlstore.Entry;
import dev.ttlstore.KeyRange;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Records that are addressed by a partition and a place within it. */
@Promise(12)
abstract class CompositeKeyContract extends ContractArea {

    private static final Comparator<String> BYTES =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));

    private static final Comparator<List<String>> PARTS = (a, b) -> {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = BYTES.compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    };

    private static final List<String> LETTERS =
            List.of("\u0001", "\u0002", "\u0003", "\u0004", " ", "a", "b", "é", "\uFFFF", "\uD83D\uDD11");

    private final Random random = new Random(42);

    @Test
    void keysAreInTheOrderOfTheirParts() {
        Map<String, List<String>> partsByKey = new LinkedHashMap<>();
        for (int i = 0; i < 600; i++) {
            List<String> parts = randomParts();
            partsByKey.put(CompositeKey.of(parts.toArray(new String[0])), parts);
        }
        group().putAll(partsByKey.keySet().stream().collect(Collectors.toMap(key -> key, key -> "value")));
        List<List<String>> expected = new ArrayList<>(partsByKey.values());
        expected.sort(PARTS);
        assertThat(expected).doesNotHaveDuplicates();
        assertThat(group().keys().map(CompositeKey::parts).toList()).isEqualTo(expected);
    }

    @Test
    void aPartitionIsReadWholeAloneAndInOrder() {
        Map<String, List<String>> partsByKey = new LinkedHashMap<>();
        for (int i = 0; i < 500; i++) {
            List<String> parts = randomParts();
            partsByKey.put(CompositeKey.of(parts.toArray(new String[0])), parts);
        }
        group().putAll(partsByKey.keySet().stream().collect(Collectors.toMap(key -> key, key -> "value")));
        for (List<String> parts : List.copyOf(partsByKey.values())) {
            List<String> partition = parts.subList(0, 1 + random.nextInt(parts.size()));
            List<List<String>> expected = partsByKey.values().stream()
                    .filter(each -> each.size() > partition.size()
                            && each.subList(0, partition.size()).equals(partition))
                    .sorted(PARTS)
                    .toList();
            KeyRange range = CompositeKey.startingWith(partition.toArray(new String[0]));
            assertThat(group().entries(range)
                            .map(entry -> CompositeKey.parts(entry.key()))
                            .toList())
                    .isEqualTo(expected);
        }
    }

    @Test
    void aRangeWithinAPartitionIsReadByItsClusteringPart() {
        for (String sensor : List.of("sensor", "sensor-7", "sensor-70")) {
            IntStream.rangeClosed(1, 9)
                    .forEach(day -> group().put(CompositeKey.of(sensor, "2026-11-0" + day), sensor + " " + day));
        }
        KeyRange days =
                KeyRange.between(CompositeKey.of("sensor-7", "2026-11-03"), CompositeKey.of("sensor-7", "2026-11-05"));
        assertThat(group().entries(days).map(Entry::value)).containsExactly("sensor-7 3", "sensor-7 4");
        assertThat(group().entries(
                                CompositeKey.startingWith("sensor-7").reversed().limit(2))
                        .map(Entry::value))
                .containsExactly("sensor-7 9", "sensor-7 8");
    }

    @Test
    void aGroupMayBeThePartition() {
        store().group("sensor-7").putAll(Map.of("08:00", "a", "09:00", "b", "10:00", "c"));
        store().group("sensor-70").put("09:30", "elsewhere");
        assertThat(store().group("sensor-7")
                        .entries(KeyRange.between("09:00", "11:00"))
                        .map(Entry::value))
                .containsExactly("b", "c");
    }

    @Test
    void thePartsOfAKeyComeBackAsTheyWere() {
        for (int i = 0; i < 1_000; i++) {
            List<String> parts = randomParts();
            String key = CompositeKey.of(parts.toArray(new String[0]));
            assertThat(CompositeKey.parts(key)).isEqualTo(parts);
        }
        assertThat(CompositeKey.parts("plain")).containsExactly("plain");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0002", "a\u0002", "\u0002a", "\u0002\u0001", "\u0002\u0004", "a\u0001\u0002"})
    void aKeyThatWasNotJoinedIsRefused(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CompositeKey.parts(key))
                .withMessageContaining("'key'");
    }

    @Test
    void badPartsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(CompositeKey::of).withMessageContaining("'parts'");
        assertThatIllegalArgumentException().isThrownBy(() -> CompositeKey.of("a", "b\0"));
        assertThatIllegalArgumentException().isThrownBy(() -> CompositeKey.of("\uD83D"));
        assertThatIllegalArgumentException().isThrownBy(CompositeKey::startingWith);
        assertThatNullPointerException().isThrownBy(() -> CompositeKey.of("a", nothing()));
    }

    private List<String> randomParts() {
        List<String> parts = new ArrayList<>();
        int size = 1 + random.nextInt(3);
        for (int i = 0; i < size; i++) {
            StringBuilder part = new StringBuilder();
            random.ints(random.nextInt(4), 0, LETTERS.size())
                    .mapToObj(LETTERS::get)
                    .forEach(part::append);
            parts.add(part.toString());
        }
        return parts.equals(List.of("")) ? List.of("", "") : parts; // a key is not empty
    }
}
