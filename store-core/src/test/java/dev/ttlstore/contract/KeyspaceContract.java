package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.GroupDeleted;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Groups that begin alike: listed, counted, removed. */
@Promise(12)
abstract class KeyspaceContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);

    private static final List<String> NAMES =
            List.of("%", "*", "a", "a%", "a%b", "a*", "a:b", "a_", "ab", "A", "b", "\uD7FF", "\uD7FFx", "\uE000", "é");

    @Test
    void groupsThatBeginAlikeAreListedInTheOrderOfTheirBytes() {
        fillAll();
        assertThat(store().groups("a")).containsExactly("a", "a%", "a%b", "a*", "a:b", "a_", "ab");
        assertThat(store().groups("ab")).containsExactly("ab");
        assertThat(store().groups("abc")).isEmpty();
    }

    @Test
    void noCharacterOfAPrefixHasASpecialMeaning() {
        fillAll();
        assertThat(store().groups("%")).containsExactly("%");
        assertThat(store().groups("*")).containsExactly("*");
        assertThat(store().groups("_")).isEmpty();
        assertThat(store().groups("a%")).containsExactly("a%", "a%b");
        assertThat(store().groups("a_")).containsExactly("a_");
        assertThat(store().groups("a:")).containsExactly("a:b");
        assertThat(store().count("_")).isZero();
        assertThat(store().count("a%")).isEqualTo(2);
        assertThat(store().deletePrefix("_")).isZero();
        assertThat(store().deletePrefix("a%")).isEqualTo(2);
        assertThat(store().groups("a")).containsExactly("a", "a*", "a:b", "a_", "ab");
    }

    @Test
    void upperAndLowerCaseDiffer() {
        fillAll();
        assertThat(store().groups("A")).containsExactly("A");
        assertThat(store().count("A")).isEqualTo(1);
        assertThat(store().deletePrefix("A")).isEqualTo(1);
        assertThat(store().count("a")).isEqualTo(7);
    }

    @Test
    void aPrefixMayEndInTheLastCodePointOfItsKind() {
        store().group("x\uD7FF").put("key", "value");
        store().group("x\uD7FFy").put("key", "value");
        store().group("x\uE000").put("key", "value");
        store().group("x\uDBFF\uDFFF").put("key", "value");
        store().group("x\uDBFF\uDFFFy").put("key", "value");
        store().group("y").put("key", "value");
        assertThat(store().groups("x\uD7FF")).containsExactly("x\uD7FF", "x\uD7FFy");
        assertThat(store().count("x\uDBFF\uDFFF")).isEqualTo(2);
        assertThat(store().deletePrefix("x\uD7FF")).isEqualTo(2);
        assertThat(store().deletePrefix("x\uDBFF\uDFFF")).isEqualTo(2);
        assertThat(store().groups()).containsExactly("x\uE000", "y");
    }

    @Test
    void aPrefixOfNothingButTheLastCodePointHasNoEnd() {
        store().group("\uDBFF\uDFFF").put("key", "value");
        store().group("\uDBFF\uDFFF\uDBFF\uDFFF").put("key", "value");
        store().group("\uE000").put("key", "value");
        assertThat(store().groups("\uDBFF\uDFFF")).hasSize(2);
        assertThat(store().count("\uDBFF\uDFFF")).isEqualTo(2);
        assertThat(store().deletePrefix("\uDBFF\uDFFF")).isEqualTo(2);
        assertThat(store().groups()).containsExactly("\uE000");
    }

    @Test
    void theEmptyPrefixStandsForAll() {
        fillAll();
        assertThat(store().groups("")).hasSize(NAMES.size()).containsAll(NAMES);
        assertThat(store().count("")).isEqualTo(NAMES.size());
        assertThat(store().deletePrefix("")).isEqualTo(NAMES.size());
        assertThat(store().count()).isZero();
    }

    @Test
    void aPrefixThatCannotBeOfANameIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> store().groups(nothing()));
        assertThatNullPointerException().isThrownBy(() -> store().count(nothing()));
        assertThatNullPointerException().isThrownBy(() -> store().deletePrefix(nothing()));
        assertThatNullPointerException().isThrownBy(() -> store().deleteGroup(nothing()));
        assertThatIllegalArgumentException().isThrownBy(() -> store().groups("\uD800"));
        assertThatIllegalArgumentException().isThrownBy(() -> store().deletePrefix("a\0"));
        assertThatIllegalArgumentException().isThrownBy(() -> store().deleteGroup(""));
    }

    @Test
    @Promise(1)
    void onlyLiveEntriesAreListedAndCounted() {
        store().group("a:expired").put("key", "value", TTL);
        store().group("a:mixed").put("expired", "value", TTL);
        store().group("a:mixed").put("live", "value", Duration.ofMillis(11));
        assertThat(store().count("a:")).isEqualTo(3);
        advanceMillis(10);
        assertThat(store().groups("a:")).containsExactly("a:mixed");
        assertThat(store().count("a:")).isEqualTo(1);
    }

    @Test
    void moreGroupsThanFitAPageAreListedByPrefix() {
        List<String> names =
                IntStream.range(0, 600).mapToObj(i -> "p%04d".formatted(i)).toList();
        fillGroups(names);
        store().group("o").put("key", "value");
        store().group("q").put("key", "value");
        assertThat(store().groups("p")).containsExactlyElementsOf(names);
        assertThat(store().groups("p01")).hasSize(100);
    }

    @Test
    @Promise({12, 13})
    void aDeletedGroupIsToldOnceAndOthersStay() {
        store().group("a").put("1", "value");
        store().group("a").put("2", "value");
        store().group("ab").put("1", "value");
        Recorder recorder = record();
        assertThat(store().deleteGroup("a")).isEqualTo(2);
        assertThat(store().groups()).containsExactly("ab");
        assertThat(recorder.events()).singleElement().satisfies(event -> {
            assertThat(event.group()).isEqualTo("a");
            assertThat(((GroupDeleted) event).entries()).isEqualTo(2);
        });
        assertThat(store().deleteGroup("a")).isZero();
        assertThat(recorder.events()).hasSize(1);
    }

    @Test
    @Promise({1, 13})
    void expiredEntriesOfDeletedGroupsAreToldAsExpiredAndNotCounted() {
        store().group("a:1").put("expired", "value", TTL);
        store().group("a:1").put("live", "value");
        store().group("a:2").put("expired", "value", TTL);
        store().group("b").put("expired", "value", TTL);
        Recorder recorder = record();
        advanceMillis(10);
        assertThat(store().deletePrefix("a:")).isEqualTo(1);
        assertThat(recorder.events(EntryExpired.class))
                .extracting(EntryExpired::group)
                .containsExactly("a:1", "a:2");
        assertThat(recorder.events(GroupDeleted.class))
                .extracting(GroupDeleted::group)
                .containsExactly("a:1");
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(recorder.events(EntryExpired.class)).hasSize(3);
    }

    @Test
    @Promise(13)
    void aDeletedPrefixIsToldGroupByGroup() {
        fillAll();
        store().group("ab").put("second", "value");
        Recorder recorder = record();
        assertThat(store().deletePrefix("a")).isEqualTo(8);
        assertThat(recorder.events(GroupDeleted.class))
                .extracting(GroupDeleted::group)
                .containsExactly("a", "a%", "a%b", "a*", "a:b", "a_", "ab");
        assertThat(recorder.events(GroupDeleted.class))
                .extracting(GroupDeleted::entries)
                .containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 2L);
        assertSequenceRises(recorder.events());
    }

    @Test
    @Promise(8)
    void aDeletedPrefixGoesAtOnce() {
        assumeThat(contract().readsGroupsAtOneMoment())
                .as("reads over several groups are of one moment")
                .isTrue();
        for (int round = 0; round < Effort.of(5, 20); round++) {
            for (int i = 0; i < 20; i++) {
                store().group("p" + i).put("key", "value");
            }
            List<Long> seen = Threads.together(2, thread -> {
                if (thread == 0) {
                    return store().deletePrefix("p");
                }
                long count = store().count("p");
                while (count == 20) {
                    count = store().count("p");
                }
                return count;
            });
            assertThat(seen).containsExactly(20L, 0L);
        }
    }

    private void fillAll() {
        NAMES.forEach(name -> store().group(name).put("key", "value"));
    }
}
