package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Expiry;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A store as a whole. */
abstract class GroupsContract extends ContractArea {

    @Test
    void aGroupKnowsItsName() {
        assertThat(group().name()).isEqualTo("group");
        assertThat(store().group("group", Long.class).name()).isEqualTo("group");
    }

    @Test
    void aGroupIsThereWhileItHasALiveEntry() {
        store().group("empty");
        group().put("key", "value");
        assertThat(store().groups()).containsExactly("group");
        group().delete("key");
        assertThat(store().groups()).isEmpty();
    }

    @Test
    @Promise(1)
    void aGroupWhoseEntriesHaveAllExpiredIsNoGroup() {
        group().put("key", "value", Duration.ofMillis(5));
        store().group("mixed").put("expired", "value", Duration.ofMillis(5));
        store().group("mixed").put("live", "value");
        advanceMillis(5);
        assertThat(store().groups()).containsExactly("mixed");
    }

    @Test
    void moreGroupsThanFitAPageAreAllTold() {
        List<String> names =
                IntStream.range(0, 600).mapToObj(i -> "group%04d".formatted(i)).toList();
        fillGroups(names);
        assertThat(store().groups()).containsExactlyElementsOf(names);
    }

    @Test
    void pagesOfExpiredGroupsAreSteppedOver() {
        fillGroups(
                IntStream.range(0, 600).mapToObj("group%04d"::formatted).toList(), Expiry.after(Duration.ofMillis(5)));
        store().group("z").put("key", "value");
        advanceMillis(5);
        assertThat(store().groups()).containsExactly("z");
    }

    @Test
    void aStreamOfGroupsMayBeLeftHalfReadAndTheStoreBeWrittenMeanwhile() {
        fillGroups(IntStream.range(0, 300).mapToObj("group%04d"::formatted).toList());
        assertThat(store().groups().limit(2)).containsExactly("group0000", "group0001");
        store().groups().forEach(name -> store().group(name).clear());
        assertThat(store().groups()).isEmpty();
        store().group("new").put("key", "value");
        assertThat(store().groups()).containsExactly("new");
    }

    @Test
    void theStoreCountsTheEntriesOfAllGroups() {
        group().put("first", "value");
        group().put("second", "value");
        store().group("other").put("first", "value");
        assertThat(store().count()).isEqualTo(3);
    }

    @Test
    void statsTellWhatThereIs() {
        group().put("live", "value");
        group().put("expired", "value", Duration.ofMillis(5));
        advanceMillis(5);
        assertThat(store().stats().engine()).isNotBlank();
        assertThat(store().stats().entries()).isEqualTo(1);
        assertThat(store().stats().expired()).isEqualTo(1);
        assertThat(store().activity().listenerFailures()).isZero();
    }

    @Test
    @Promise(23)
    void aCheckLeavesNothingBehind() {
        group().put("key", "value");
        Recorder recorder = record();
        store().check();
        assertThat(recorder.events()).isEmpty();
        assertThat(store().count()).isEqualTo(1);
        assertThat(store().groups()).containsExactly("group");
    }

    @Test
    @Promise(9)
    void versionsGoOnRisingAfterACheck() {
        group().put("key", "value");
        long before = group().entry("key").orElseThrow().version();
        store().check();
        group().put("key", "value");
        assertThat(group().entry("key").orElseThrow().version()).isGreaterThan(before);
    }
}
