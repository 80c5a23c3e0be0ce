package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Entry;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Writes that depend on nobody having put another value since an entry was read. */
@Promise(9)
abstract class VersionContract extends ContractArea {

    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void replaceVersionPutsForGoodWhileTheVersionStands() {
        group().put("key", "value", HOUR);
        long version = version();
        assertThat(group().replaceVersion("key", version, "other")).isPresent();
        assertThat(entry().value()).isEqualTo("other");
        assertThat(entry().expiresAt()).isNull();
        assertThat(entry().createdAt()).isEqualTo(MovableClock.START);
        assertThat(version()).isGreaterThan(version);
        assertThat(group().replaceVersion("key", version, "late")).isEmpty();
        assertThat(group().get("key")).contains("other");
    }

    @Test
    void replaceVersionWithATtlPutsForThatTime() {
        group().put("key", "value");
        assertThat(group().replaceVersion("key", version(), "other", HOUR)).isPresent();
        assertThat(entry().ttl()).isEqualTo(HOUR);
    }

    @Test
    void deleteVersionRemovesWhileTheVersionStands() {
        group().put("key", "value");
        long version = version();
        group().put("key", "value");
        assertThat(group().deleteVersion("key", version)).isFalse();
        assertThat(group().deleteVersion("key", version())).isTrue();
        assertThat(group().contains("key")).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Promise({1, 9})
    void anExpiredEntryHasNoVersionToReplace(Standing standing) {
        List<Boolean> replaced = versionsAround(standing).stream()
                .map(version -> group().replaceVersion("key", version, "other").isPresent())
                .toList();
        // Whatever number the version had: a live entry is replaced (and its new version again), no other is.
        assertThat(replaced.contains(true)).isEqualTo(standing.isLive());
        assertThat(group().contains("key")).isEqualTo(standing.isLive());
    }

    @ParameterizedTest
    @EnumSource
    @Promise({1, 9})
    void anExpiredEntryHasNoVersionToDelete(Standing standing) {
        List<Boolean> deleted = versionsAround(standing).stream()
                .map(version -> group().deleteVersion("key", version))
                .toList();
        assertThat(deleted.stream().filter(Boolean::booleanValue)).hasSize(standing.isLive() ? 1 : 0);
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    @Promise({1, 9})
    void aVersionThatWasReadInTheLastMillisecondIsWorthNothingInTheNext() {
        group().put("key", "value", Duration.ofMillis(2));
        advanceMillis(1);
        long version = version();
        advanceMillis(1);
        assertThat(group().replaceVersion("key", version, "other")).isEmpty();
        assertThat(group().deleteVersion("key", version)).isFalse();
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    void aVersionDoesNotFitAnEntryThatWasDeletedAndCreatedAgain() {
        group().put("key", "value");
        long version = version();
        group().delete("key");
        group().put("key", "value");
        assertThat(group().replaceVersion("key", version, "other")).isEmpty();
        assertThat(group().deleteVersion("key", version)).isFalse();
        assertThat(group().get("key")).contains("value");
    }

    @Test
    void aVersionDoesNotFitAnEntryThatExpiredWasPurgedAndCreatedAgain() {
        group().put("key", "value", HOUR);
        long version = version();
        clock.advance(HOUR);
        store().purgeExpired();
        group().put("key", "value", HOUR);
        assertThat(group().replaceVersion("key", version, "other")).isEmpty();
        assertThat(group().deleteVersion("key", version)).isFalse();
    }

    @Test
    void aVersionDoesNotFitAnEntryOfTheSameKeyInAnotherGroup() {
        group().put("key", "value");
        store().group("other").put("key", "value");
        assertThat(store().group("other").deleteVersion("key", version())).isFalse();
    }

    @Test
    void aVersionStillFitsWhenOnlyTheExpiryHasChanged() {
        group().put("key", "value");
        long version = version();
        group().expire("key", HOUR);
        assertThat(version()).isEqualTo(version);
        group().persist("key");
        assertThat(group().replaceVersion("key", version, "other")).isPresent();
    }

    @Test
    void updateAndIncrementGiveANewVersion() {
        store().counters("group").increment("key");
        long created = version();
        store().counters("group").increment("key");
        long counted = version();
        group().update("key", value -> value);
        assertThat(List.of(created, counted, version())).isSorted().doesNotHaveDuplicates();
    }

    /** Prepares what stands at the key, and returns all numbers near those that this has taken. */
    private List<Long> versionsAround(Standing standing) {
        Recorder recorder = record();
        standing.prepare(this);
        return recorder.events().stream()
                .flatMapToLong(event -> LongStream.rangeClosed(event.sequence() - 20, event.sequence() + 20))
                .distinct()
                .boxed()
                .toList();
    }

    private long version() {
        return entry().version();
    }

    private Entry<String> entry() {
        return group().entry("key").orElseThrow();
    }
}
