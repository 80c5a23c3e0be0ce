package dev.ttlstore.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;

import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.Subscription;

import ch.qos.logback.classic.Level;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

/** Those who want to know how long a store's work takes. */
@SuppressWarnings("try") // a subscription is there to be closed
abstract class ObserverContract extends ContractArea {

    /** Writes down what it is told, and that each time is one. */
    private static final class Notes implements StoreObserver {

        private final List<String> notes = new CopyOnWriteArrayList<>();

        @Override
        public void written(long nanos) {
            note("written", nanos);
        }

        @Override
        public void committed(int writes, long nanos) {
            note("committed " + writes, nanos);
        }

        @Override
        public void purged(long entries, long nanos) {
            note("purged " + entries, nanos);
        }

        private void note(String what, long nanos) {
            notes.add(nanos > 0 ? what : what + " in no time");
        }
    }

    @Test
    void everyKindOfWriteIsTold() {
        Notes told = new Notes();
        try (Subscription unused = store().observe(told)) {
            group().put("key", "value", Duration.ofHours(1));
            assertThat(told.notes).containsExactly("committed 1", "written");
            told.notes.clear();
            group().async().put("other", "value").join();
            await().untilAsserted(() -> assertThat(told.notes).containsExactly("committed 1", "written"));
            told.notes.clear();
            store().transact(tx -> {
                tx.group("group").put("a", "1");
                return true;
            });
            assertThat(told.notes).containsExactly("committed 1", "written");
            told.notes.clear();
            assertThat(store().group("other").clear()).isZero();
            assertThat(told.notes).containsExactly("committed 1", "written");
        }
    }

    @Test
    void aPurgeIsToldWithWhatItHasRemoved() {
        group().put("key", "value", Duration.ofHours(1));
        clock.advance(Duration.ofHours(1));
        Notes told = new Notes();
        try (Subscription unused = store().observe(told)) {
            store().purgeExpired();
            store().purgeExpired();
        }
        assertThat(told.notes).containsSubsequence("purged 1", "purged 0").doesNotContain("written");
    }

    @Test
    void aWriteThatThrowsIsNotTold() {
        Notes told = new Notes();
        try (Subscription unused = store().observe(told)) {
            assertThatIllegalStateException().isThrownBy(() -> store().transact(tx -> {
                throw new IllegalStateException();
            }));
        }
        assertThat(told.notes).isEmpty();
    }

    @Test
    void whoHasLeftIsToldNothingAndWhoIsThereTwiceLeavesTwice() {
        Notes told = new Notes();
        Subscription first = store().observe(told);
        Subscription second = store().observe(told);
        first.close();
        first.close();
        group().put("key", "value");
        assertThat(told.notes).hasSize(2);
        second.close();
        group().put("key", "value");
        assertThat(told.notes).hasSize(2);
    }

    @Test
    void whatAnObserverThrowsHarmsNothing() {
        Notes told = new Notes();
        try (LogRecorder log = new LogRecorder("dev.ttlstore.internal.base.Meter", Level.WARN);
                Subscription failing = store().observe(new StoreObserver() {
                    @Override
                    public void written(long nanos) {
                        throw new IllegalStateException("on purpose");
                    }

                    @Override
                    public void committed(int writes, long nanos) {
                        throw new AssertionError("on purpose");
                    }
                });
                Subscription unused = store().observe(told)) {
            group().put("key", "value");
            group().put("other", "value");
            assertThat(log.traces()).hasSize(1).allMatch(trace -> !trace.contains("on purpose")); // it may be a value
        }
        assertThat(group().getAll()).hasSize(2);
        assertThat(told.notes).hasSize(4);
    }

    @Test
    void nobodyIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> store().observe(nothing()))
                .withMessageContaining("'observer'");
    }

    /** Who commits for others calls their codecs and ciphers, too. */
    @Test
    void anInterruptOfAThreadThatCommitsDisturbsNothingThatTheCommitCallsAndIsKept() {
        List<Boolean> disturbed = new ArrayList<>();
        try (Subscription unused = store().observe(new StoreObserver() {
            @Override
            public void committed(int writes, long nanos) {
                disturbed.add(Thread.interrupted());
            }
        })) {
            Thread.currentThread().interrupt();
            group().put("key", "value");
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(disturbed).containsExactly(false);
    }
}
