package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Entry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreClosedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Many entries, read a part at a time. */
@Promise(4)
abstract class StreamContract extends ContractArea {

    private static final int MANY = 1_100;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 1_100, 10_000})
    void aWalkByPagesMeetsEveryEntryOnceAndInOrder(int limit) {
        int entries = limit == 1 ? 100 : MANY;
        fillInOrder(entries);
        List<String> walked = new ArrayList<>();
        List<Entry<String>> page = group().page(null, limit);
        while (!page.isEmpty()) {
            page.forEach(entry -> walked.add(entry.key()));
            page = page.size() < limit ? List.of() : group().page(walked.get(walked.size() - 1), limit);
        }
        assertThat(walked)
                .hasSize(entries)
                .isEqualTo(group().entries().map(Entry::key).toList())
                .isEqualTo(group().keys().toList());
    }

    @Test
    void aStreamReadsAsManyEntriesAsThereAreInBothDirections() {
        fillInOrder(MANY);
        List<String> keys =
                IntStream.range(0, MANY).mapToObj(StreamContract::key).toList();
        assertThat(group().keys()).containsExactlyElementsOf(keys);
        List<String> backwards =
                group().entries(KeyRange.all().reversed()).map(Entry::key).toList();
        assertThat(backwards).hasSize(MANY).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(group().entries(KeyRange.from(key(5)).limit(1_000)).map(Entry::key))
                .containsExactlyElementsOf(keys.subList(5, 1_005));
    }

    @Test
    void aPageMayBeginBehindAKeyThatIsNotThere() {
        fillInOrder(3);
        group().delete(key(1));
        assertThat(group().page(key(1), 10)).extracting(Entry::key).containsExactly(key(2));
        assertThat(group().page("zzz", 10)).isEmpty();
        String longest = "x".repeat(1_024);
        group().put(longest, "value");
        assertThat(group().page(longest, 10)).isEmpty();
        assertThat(group().page("x".repeat(1_023), 10)).extracting(Entry::key).containsExactly(longest);
    }

    @Test
    @Promise(12)
    void aPageHasOneToTenThousandEntriesBehindAKey() {
        for (int limit : new int[] {Integer.MIN_VALUE, -1, 0, 10_001, Integer.MAX_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> group().page(null, limit))
                    .withMessageContaining("'limit'");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> group().page("", 1))
                .withMessageContaining("'afterKey'");
    }

    @Test
    void manyStreamsMayBeLeftHalfReadAndTheStoreGoesOnAndCloses() {
        fillInOrder(600);
        List<Iterator<String>> abandoned = new ArrayList<>();
        for (int i = 0; i < Effort.of(300, 1_000); i++) {
            Iterator<String> keys = group().keys().iterator();
            assertThat(keys.next()).isEqualTo(key(0));
            abandoned.add(keys);
        }
        assertThat(group().get(key(0))).contains("value");
        group().put("another", "value");
        Store store = store();
        Future<Boolean> closing = Threads.start(thread -> {
            store.close();
            return true;
        });
        assertThat(Threads.get(closing)).isTrue();
        assertThatExceptionOfType(StoreClosedException.class)
                .isThrownBy(() -> abandoned.get(0).forEachRemaining(key -> {}));
    }

    @Test
    @Promise(22)
    void aStreamOfAClosedStoreSaysSo() {
        fillInOrder(1);
        Stream<Entry<String>> entries = group().entries();
        Stream<String> keys = group().keys();
        store().close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(entries::toList);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(keys::toList);
    }

    @Test
    void aStreamReadsNothingBeforeItIsAskedTo() {
        Stream<String> keys = group().keys();
        Stream<Entry<String>> entries = group().entries();
        fillInOrder(2);
        assertThat(keys).hasSize(2);
        assertThat(entries).hasSize(2);
    }

    @Test
    void whatIsReadMayBeDeletedMeanwhile() {
        int many = Effort.of(600, MANY); // more than two pages
        fillInOrder(many);
        group().keys().forEach(key -> assertThat(group().delete(key)).isTrue());
        assertThat(group().count()).isZero();

        fillInOrder(many);
        group().entries(KeyRange.all().reversed())
                .forEach(entry -> assertThat(group().take(entry.key())).contains("value"));
        assertThat(group().count()).isZero();
    }

    @Test
    void whatIsWrittenAheadAndBehindDoesNotUpsetAStream() {
        fillInOrder(MANY);
        List<String> seen = group().keys()
                .peek(key -> {
                    if (key.startsWith("key")) {
                        group().put("a behind " + key, "value");
                        if (key.endsWith("00")) {
                            group().put("z ahead " + key, "value");
                        }
                    }
                })
                .toList();
        assertThat(seen).doesNotHaveDuplicates().isSorted();
        assertThat(seen.stream().filter(key -> key.startsWith("key"))).hasSize(MANY);
        assertThat(seen.stream().filter(key -> key.startsWith("z ahead"))).hasSize(11);
        assertThat(seen).noneMatch(key -> key.startsWith("a behind"));
    }

    @Test
    void whatIsDeletedBeforeAStreamHasComeThereIsNotSeen() {
        fillInOrder(MANY);
        List<String> seen = new ArrayList<>();
        group().keys().forEach(key -> {
            if (seen.isEmpty()) {
                group().delete(key(MANY - 1));
                store().group("other").put("key", "value");
            }
            seen.add(key);
        });
        assertThat(seen).hasSize(MANY - 1).doesNotContain(key(MANY - 1));
    }

    @Test
    void nothingIsHeldBetweenPagesSoOthersWriteAtOnce() {
        fillInOrder(MANY);
        Iterator<Entry<String>> entries = group().entries().iterator();
        entries.next();
        Future<Long> clearing = Threads.start(thread -> group().clear());
        assertThat(Threads.get(clearing)).isEqualTo(MANY);
        assertThatCode(() -> entries.forEachRemaining(entry -> {})).doesNotThrowAnyException();
    }

    @Test
    void largeValuesAllCome() {
        String large = "x".repeat(400_000);
        IntStream.range(0, 12).forEach(i -> group().put(key(i), large));
        List<String> keys = IntStream.range(0, 12).mapToObj(StreamContract::key).toList();
        assertThat(group().entries()
                        .filter(entry -> entry.value().equals(large))
                        .map(Entry::key))
                .containsExactlyElementsOf(keys);
        assertThat(group().entries(KeyRange.all().reversed())).hasSize(12);
        assertThat(group().page(null, 12)).extracting(Entry::key).containsExactlyElementsOf(keys);
        assertThat(group().page(key(3), 5)).extracting(Entry::key).containsExactlyElementsOf(keys.subList(4, 9));
        assertThat(group().expireAll(Duration.ofHours(1))).isEqualTo(12);
    }

    private void fillInOrder(int entries) {
        fill(group(), entries, StreamContract::key);
    }

    private static String key(int number) {
        return String.format(Locale.ROOT, "key%06d", number);
    }
}
