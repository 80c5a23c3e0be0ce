package dev.ttlstore.contract;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Entry;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.exception.ValueTooLargeException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Writes that depend on what stands there, by its value, and writes of many entries at once. */
abstract class ConditionalWriteContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    @ParameterizedTest
    @EnumSource
    @Promise({1, 2})
    void putIfAbsentPutsForGoodWhereNoLiveEntryStands(Standing standing) {
        standing.prepare(this);
        assertThat(group().putIfAbsent("key", "other").isPresent()).isEqualTo(!standing.isLive());
        assertThat(group().get("key")).contains(standing.isLive() ? "value" : "other");
        assertThat(group().putIfAbsent("key", "late")).isEmpty();
        if (!standing.isLive()) {
            assertThat(entry().expiresAt()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Promise({1, 2})
    void putIfAbsentWithATtlPutsForThatTime(Standing standing) {
        standing.prepare(this);
        assertThat(group().putIfAbsent("key", "other", HOUR).isPresent()).isEqualTo(!standing.isLive());
        if (!standing.isLive()) {
            assertThat(entry().ttl()).isEqualTo(HOUR);
            assertThat(entry().createdAt()).isEqualTo(clock.instant());
        }
    }

    @Test
    @Promise(2)
    void putIfAbsentLeavesTheExpiryThatStands() {
        group().put("key", "value", HOUR);
        assertThat(group().putIfAbsent("key", "other")).isEmpty();
        assertThat(group().putIfAbsent("key", "other", Duration.ofHours(2))).isEmpty();
        assertThat(entry().ttl()).isEqualTo(HOUR);
    }

    @ParameterizedTest
    @EnumSource
    @Promise({1, 2})
    void replaceByValuePutsForGoodWhereTheValueStands(Standing standing) {
        standing.prepare(this);
        assertThat(group().replace("key", "another", "other")).isEmpty();
        assertThat(group().replace("key", "value", "other").isPresent()).isEqualTo(standing.isLive());
        assertThat(group().get("key")).isEqualTo(Optional.of("other").filter(other -> standing.isLive()));
        if (standing.isLive()) {
            assertThat(entry().expiresAt()).isNull();
            assertThat(entry().createdAt()).isEqualTo(MovableClock.START);
            assertThat(entry().updatedAt()).isEqualTo(clock.instant());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Promise({1, 2})
    void replaceByValueWithATtlPutsForThatTime(Standing standing) {
        standing.prepare(this);
        assertThat(group().replace("key", "another", "other", HOUR)).isEmpty();
        assertThat(group().replace("key", "value", "other", HOUR).isPresent()).isEqualTo(standing.isLive());
        if (standing.isLive()) {
            assertThat(entry().value()).isEqualTo("other");
            assertThat(entry().ttl()).isEqualTo(HOUR);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Promise(1)
    void deleteByValueRemovesWhereTheValueStands(Standing standing) {
        standing.prepare(this);
        assertThat(group().delete("key", "another")).isFalse();
        assertThat(group().contains("key")).isEqualTo(standing.isLive());
        assertThat(group().delete("key", "value")).isEqualTo(standing.isLive());
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    @Promise(12)
    void anEmptyValueIsComparedAsAnyOther() {
        assertThat(group().replace("key", "", "other")).isEmpty();
        assertThat(group().delete("key", "")).isFalse();
        group().put("key", "");
        assertThat(group().putIfAbsent("key", "other")).isEmpty();
        assertThat(group().replace("key", "", "")).isPresent();
        assertThat(group().delete("key", "")).isTrue();
    }

    @Test
    @Promise(13)
    void aConditionalWriteThatLosesTellsNothing() {
        group().put("key", "value");
        Recorder recorder = record();
        group().putIfAbsent("key", "other");
        group().replace("key", "another", "other");
        group().replaceVersion("key", 0, "other");
        group().delete("key", "another");
        group().deleteVersion("key", 0);
        assertThat(recorder.events()).isEmpty();
    }

    @Test
    @Promise(13)
    void aConditionalWriteThatWinsOverAnExpiredEntryTellsOfItsExpiryFirst() {
        group().put("key", "value", HOUR);
        clock.advance(HOUR);
        Recorder recorder = record();
        group().putIfAbsent("key", "other");
        assertThat(recorder.events()).hasSize(2);
        assertThat(recorder.events().get(0)).isInstanceOf(EntryExpired.class);
        assertThat(recorder.events(EntryPut.class)).singleElement().matches(EntryPut::created);
    }

    @Test
    @Promise({2, 8})
    void putAllPutsEveryEntryForGoodWithAVersionOfItsOwn() {
        group().put("a", "before", HOUR);
        Recorder recorder = record();
        group().putAll(Map.of("a", "1", "b", "2", "c", "3"));
        assertThat(group().getAll()).containsOnly(Map.entry("a", "1"), Map.entry("b", "2"), Map.entry("c", "3"));
        assertThat(group().entries().map(Entry::expiresAt)).containsOnlyNulls();
        assertThat(group().entries().map(Entry::version)).doesNotHaveDuplicates();
        assertThat(recorder.events(EntryPut.class)).hasSize(3);
    }

    @Test
    @Promise(2)
    void putAllWithATtlPutsEveryEntryForThatTime() {
        group().putAll(Map.of("a", "1", "b", "2"), HOUR);
        assertThat(group().entries().map(Entry::ttl)).containsExactly(HOUR, HOUR);
        clock.advance(HOUR);
        assertThat(group().getAll()).isEmpty();
    }

    @Test
    void putAllOfNothingDoesNothing() {
        Recorder recorder = record();
        group().putAll(Map.of());
        group().putAll(Map.of(), HOUR);
        assertThat(recorder.events()).isEmpty();
        assertThat(group().count()).isZero();
    }

    @Test
    @Promise(8)
    void putAllWithABadMemberPutsNoneOfThem() {
        open(settings().maxValueSize(10));
        Recorder recorder = record();
        assertThatIllegalArgumentException().isThrownBy(() -> group().putAll(badLast("", "value")));
        assertThatIllegalArgumentException().isThrownBy(() -> group().putAll(badLast("\0", "value"), HOUR));
        assertThatNullPointerException().isThrownBy(() -> group().putAll(badLast(nothing(), "value")));
        assertThatNullPointerException().isThrownBy(() -> group().putAll(badLast("bad", nothing())));
        assertThatExceptionOfType(ValueTooLargeException.class)
                .isThrownBy(() -> group().putAll(badLast("bad", "12345678901")));
        assertThatIllegalArgumentException().isThrownBy(() -> group().putAll(Map.of("good", "value"), Duration.ZERO));
        assertThat(group().count()).isZero();
        assertThat(recorder.events()).isEmpty();
    }

    @Test
    @Promise(8)
    void aReaderSeesAllOfAPutAllOrNothing() {
        Threads.together(2, thread -> {
            for (int i = 0; i < 100; i++) {
                if (thread == 0) {
                    group().putAll(Map.of("a", "" + i, "b", "" + i, "c", "" + i));
                } else {
                    Map<String, String> seen = group().getAll();
                    assertThat(seen.values().stream().distinct().count()).isLessThanOrEqualTo(1);
                    assertThat(seen.size()).isIn(0, 3);
                }
            }
            return thread;
        });
    }

    private static Map<String, String> badLast(String key, String value) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("good", "value");
        values.put(key, value);
        return values;
    }

    private Entry<String> entry() {
        return group().entry("key").orElseThrow();
    }
}
