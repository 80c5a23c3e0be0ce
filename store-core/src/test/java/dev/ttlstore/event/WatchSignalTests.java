package dev.ttlstore.event;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise(15)
class WatchSignalTests {

    @Test
    void aGapWithoutAMissedChangeIsRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new WatchSignal.Gap(1, 0))
                .withMessage("'missed' must be one or more, but is 0");
    }

    @Test
    @SuppressWarnings("NullAway") // to see it refused
    void aChangeWithoutAnEventIsRefused() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> new WatchSignal.Change(null))
                .withMessage("'event' must not be null");
    }

    @Test
    @Promise(13)
    void aChangeDoesNotPrintTheKey() {
        StoreEvent event = new EntryPut(7, Instant.EPOCH, "group", "s3cr3t", 7, true, null);
        assertThat(new WatchSignal.Change(event).toString()).contains("group").doesNotContain("s3cr3t");
    }
}
