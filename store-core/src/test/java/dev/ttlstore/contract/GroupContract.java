package dev.ttlstore.contract;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What is put can be read, and removed, by its key. */
abstract class GroupContract extends ContractArea {

    @Test
    void aValueThatWasPutCanBeRead() {
        group().put("key", "value");
        assertThat(group().get("key")).contains("value");
        assertThat(group().contains("key")).isTrue();
        assertThat(group().count()).isEqualTo(1);
    }

    @Test
    void aMissingKeyReadsAsEmpty() {
        assertThat(group().get("key")).isEmpty();
        assertThat(group().entry("key")).isEmpty();
        assertThat(group().contains("key")).isFalse();
        assertThat(group().getAll()).isEmpty();
        assertThat(group().take("key")).isEmpty();
        assertThat(group().delete("key")).isFalse();
        assertThat(group().expire("key", Duration.ofHours(1))).isFalse();
        assertThat(group().persist("key")).isFalse();
        assertThat(group().clear()).isZero();
    }

    @Test
    @Promise(12)
    void anEmptyValueIsNotAMissingOne() {
        group().put("key", "");
        assertThat(group().get("key")).contains("");
        assertThat(group().contains("key")).isTrue();
        assertThat(group().getAll()).containsExactly(Map.entry("key", ""));
        assertThat(group().take("key")).contains("");
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    @Promise(12)
    void noBytesAreNotAMissingValue() {
        Group<byte[]> bytes = store().group("bytes", byte[].class);
        bytes.put("key", new byte[0]);
        assertThat(bytes.get("key")).get().isEqualTo(new byte[0]);
    }

    @Test
    void anOverwrittenValueIsTheOneThatIsRead() {
        group().put("key", "first");
        group().put("key", "second");
        assertThat(group().get("key")).contains("second");
        assertThat(group().count()).isEqualTo(1);
    }

    @Test
    void aTakenValueIsUsedUp() {
        group().put("key", "value");
        assertThat(group().take("key")).contains("value");
        assertThat(group().take("key")).isEmpty();
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    void aTakenEntryHasItsVersionAndTimes() {
        Duration hour = Duration.ofHours(1);
        long version = group().put("key", "value", hour);
        Entry<String> entry = group().entry("key").orElseThrow();
        Entry<String> taken = group().takeEntry("key").orElseThrow();
        assertThat(taken.value()).isEqualTo("value");
        assertThat(taken.version()).isEqualTo(version);
        assertThat(taken.expiresAt())
                .isEqualTo(entry.expiresAt())
                .isEqualTo(taken.createdAt().plus(hour));
        assertThat(taken.ttl()).isBetween(Duration.ofMinutes(59), hour);
        assertThat(group().takeEntry("key")).isEmpty();
        assertThat(group().get("key")).isEmpty();
        group().put("key", "again");
        Optional<Entry<String>> inside =
                store().transact(tx -> tx.group("group").takeEntry("key"));
        assertThat(inside.orElseThrow().value()).isEqualTo("again");
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    void aDeletedEntryIsGone() {
        group().put("key", "value");
        assertThat(group().delete("key")).isTrue();
        assertThat(group().delete("key")).isFalse();
        assertThat(group().get("key")).isEmpty();
    }

    @Test
    void clearRemovesTheGroupAloneAndCountsTheLiveEntries() {
        group().put("expired", "value", Duration.ofMillis(1));
        group().put("first", "value");
        group().put("second", "value", Duration.ofHours(1));
        store().group("group2").put("kept", "value");
        store().group("grou").put("kept", "value");
        advanceMillis(1);
        assertThat(group().clear()).isEqualTo(2);
        assertThat(group().count()).isZero();
        assertThat(store().groups()).containsExactly("grou", "group2");
        assertThat(store().stats().expired()).isZero();
    }

    @Test
    void getAllIsASnapshotThatCannotBeChanged() {
        group().put("key", "value");
        Map<String, String> all = group().getAll();
        group().put("later", "value");
        assertThat(all).containsOnlyKeys("key");
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> all.put("other", "value"));
    }

    @Test
    void addGivesAFreshKeyThatIsSafeInAUrl() {
        String first = group().add("first");
        String second = group().add("second", Duration.ofHours(1));
        assertThat(first).matches("[A-Za-z0-9_-]{24}").isNotEqualTo(second);
        assertThat(second).matches("[A-Za-z0-9_-]{24}");
        assertThat(group().getAll()).containsOnly(Map.entry(first, "first"), Map.entry(second, "second"));
    }

    @Test
    void anEntryTellsItsTimes() {
        group().put("key", "value", Duration.ofMinutes(1));
        Entry<String> entry = group().entry("key").orElseThrow();
        assertThat(entry.key()).isEqualTo("key");
        assertThat(entry.value()).isEqualTo("value");
        assertThat(entry.createdAt()).isEqualTo(MovableClock.START);
        assertThat(entry.updatedAt()).isEqualTo(MovableClock.START);
        assertThat(entry.expiresAt()).isEqualTo(MovableClock.START.plusSeconds(60));
        assertThat(entry.ttl()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void overwritingALiveEntryKeepsWhenItWasCreated() {
        group().put("key", "first");
        advanceMillis(5);
        group().put("key", "second");
        Entry<String> entry = group().entry("key").orElseThrow();
        assertThat(entry.createdAt()).isEqualTo(MovableClock.START);
        assertThat(entry.updatedAt()).isEqualTo(MovableClock.START.plusMillis(5));
    }

    @Test
    @Promise(1)
    void overwritingAnExpiredEntryCreatesANewOne() {
        group().put("key", "first", Duration.ofMillis(5));
        advanceMillis(5);
        group().put("key", "second");
        assertThat(group().entry("key").orElseThrow().createdAt()).isEqualTo(MovableClock.START.plusMillis(5));
    }

    @Test
    void deletingAndPuttingAgainCreatesANewEntry() {
        group().put("key", "first");
        group().delete("key");
        advanceMillis(5);
        group().put("key", "second");
        assertThat(group().entry("key").orElseThrow().createdAt()).isEqualTo(MovableClock.START.plusMillis(5));
    }

    @Test
    @Promise(9)
    void eachPutHasAVersionOfItsOwnHoweverTheLastOneWent() {
        group().put("key", "value");
        long first = version("key");
        group().put("key", "value");
        long second = version("key");
        group().delete("key");
        group().put("key", "value", Duration.ofMillis(5));
        long third = version("key");
        advanceMillis(5);
        store().purgeExpired();
        group().put("key", "value");
        long fourth = version("key");
        group().clear();
        group().put("key", "value");
        long fifth = version("key");
        store().group("other").put("key", "value");
        long sixth = store().group("other").entry("key").orElseThrow().version();
        assertThat(new long[] {first, second, third, fourth, fifth})
                .isSorted()
                .doesNotHaveDuplicates()
                .doesNotContain(sixth);
        if (contract().isExclusive()) {
            assertThat(sixth).isGreaterThan(fifth);
        }
        assertThat(first).isPositive();
    }

    @Test
    void groupsOfOneNameAreOneGroup() {
        group().put("number", "42");
        assertThat(store().group("group", Long.class).get("number")).contains(42L);
        assertThat(store().group("group").getAll()).containsOnlyKeys("number");
    }

    @Test
    void aKeyMeansAnotherEntryInAnotherGroup() {
        group().put("key", "here");
        store().group("other").put("key", "there");
        assertThat(group().take("key")).contains("here");
        assertThat(store().group("other").get("key")).isEqualTo(Optional.of("there"));
    }

    private long version(String key) {
        return group().entry(key).orElseThrow().version();
    }
}
