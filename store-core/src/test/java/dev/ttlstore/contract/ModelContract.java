package dev.ttlstore.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.Store;
import dev.ttlstore.contract.model.ModelComparison;
import dev.ttlstore.contract.model.Operations;
import dev.ttlstore.contract.model.Place;

/** Long random runs answer, hold and tell what a simple model does. */
@Promise({1, 2, 3, 5, 9, 12, 13})
abstract class ModelContract extends ContractArea {

    private static final int STEPS = Effort.of(250, 5_000);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Effort.of(1, 4));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aLongRunDoesWhatTheModelDoes(long seed) {
        check(seed);
    }

    @Test
    void aLongRunThatIsNewEachTimeDoesWhatTheModelDoes() {
        check(new Random().nextLong()); // a failure tells it
    }

    private void check(long seed) {
        ModelComparison.check(new Here(), Operations.ALL, seed, STEPS);
    }

    private final class Here implements Place {

        private Instant latest = Instant.MIN;

        @Override
        public Store store() {
            return ModelContract.this.store();
        }

        @Override
        public boolean isExclusive() {
            return contract().isExclusive();
        }

        @Override
        public Instant clock() {
            return clock.instant();
        }

        @Override
        public void moveClock(Duration duration) {
            clock.advance(duration);
            latest = latest.isBefore(clock()) ? clock() : latest;
        }

        @Override
        public void reopen() {
            // A shared store has no end: opened again, it takes the time from the server, and not from what it knew
            // before.
            boolean sameTime = isExclusive() || !clock().isBefore(latest);
            if (contract().lasts() && sameTime) {
                ModelContract.this.reopen();
            }
        }
    }
}
