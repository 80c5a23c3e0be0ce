package dev.ttlstore.contract.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** That a run finds what is wrong with a store, and says so in few words: shown on operations that have a fault. */
class ModelComparisonTests {

    private static final int MANY = 5_000;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private final Store store = Store.builder()
            .inMemory()
            .clock(() -> now)
            .purgeInterval(Duration.ZERO)
            .expiryOnTime(false)
            .open();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aPutThatKeepsTheExpiryIsFoundInAFewSteps() {
        String report = failure("put", (place, a) -> {
            TextGroup group = place.store().group(a.group());
            var expiresAt = group.entry(a.key()).map(entry -> entry.expiresAt());
            group.put(a.key(), a.value());
            expiresAt.ifPresent(expiry -> group.expire(a.key(), expiry));
            return "done";
        });
        assertThat(report).startsWith("Seed 1, step ").contains("The last 2 steps");
    }

    @Test
    void aPersistThatDoesNothingIsFoundInAFewSteps() {
        String report =
                failure("persist", (place, a) -> place.store().group(a.group()).contains(a.key()));
        assertThat(report).contains("The last 2 steps", "expiresAt");
    }

    @Test
    void aDeleteThatPutsFirstIsFoundByItsEvent() {
        String report = failure("delete", (place, a) -> {
            TextGroup group = place.store().group(a.group());
            boolean present = group.contains(a.key());
            if (present) {
                group.put(a.key(), "gone");
            }
            group.delete(a.key());
            return present;
        });
        assertThat(report).contains("The last 2 steps", "to be told was EntryDeleted");
    }

    @Test
    void aPurgeThatDoesNothingIsFoundInAFewSteps() {
        String report = failure("purgeExpired", (place, a) -> 0L);
        assertThat(report).contains("steps of a run that shows it", "purgeExpired answered 0, and not 1");
    }

    private String failure(String name, ModelOperation.Real faulty) {
        List<ModelOperation> operations = Operations.ALL.stream()
                .map(operation -> operation.name().equals(name) ? operation.with(faulty) : operation)
                .toList();
        AssertionError failure = catchThrowableOfType(
                AssertionError.class, () -> ModelComparison.check(new InMemory(), operations, 1, MANY));
        return String.valueOf(failure.getMessage());
    }

    private final class InMemory implements Place {
        @Override
        public Store store() {
            return store;
        }

        @Override
        public Instant clock() {
            return now;
        }

        @Override
        public void moveClock(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public void reopen() {}
    }
}
