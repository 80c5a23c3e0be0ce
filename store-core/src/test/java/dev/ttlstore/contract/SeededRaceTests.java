package dev.ttlstore.contract;

import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.linear.KeyOperation;
import dev.ttlstore.contract.linear.KeyOperations;
import dev.ttlstore.contract.linear.OneKey;

import static dev.ttlstore.contract.linear.OneKey.KEY;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * That {@link LinearizabilityContract} would find a race, shown on operations which have one. Each waits in the middle until
 * the other thread is there as well, so that the bad turn of events comes every time.
 */
@Promise(10)
class SeededRaceTests {

    private final Store store = Store.inMemory();
    private final CyclicBarrier bothInTheMiddle = new CyclicBarrier(2);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aTakeThatDoesNotLookWhetherItDeletedIsFound() {
        KeyOperation take = KeyOperations.named("take").with((at, values) -> {
            Optional<String> value = at.group().get(KEY);
            awaitTheOther();
            at.group().delete(KEY);
            return value;
        });
        assertFound(Scenario.all(2, take, Scenario.initialPut()), "take");
    }

    @Test
    void aDeleteThatAnswersWhatItSawBeforeIsFound() {
        KeyOperation delete = KeyOperations.named("delete").with((at, values) -> {
            boolean present = at.group().contains(KEY);
            awaitTheOther();
            at.group().delete(KEY);
            return present;
        });
        assertFound(Scenario.all(2, delete, Scenario.initialPut()), "delete");
    }

    @Test
    void aPutIfAbsentThatChecksThenPutsIsFound() {
        KeyOperation putIfAbsent = new KeyOperation(
                "putIfAbsent",
                (at, values) -> {
                    boolean absent = !at.group().contains(KEY);
                    awaitTheOther();
                    if (absent) {
                        at.group().put(KEY, values.value());
                    }
                    return absent;
                },
                KeyOperations.putIfAbsent());
        assertFound(Scenario.all(2, putIfAbsent), "putIfAbsent");
    }

    @Test
    void theSameScenarioWithTheStoresOwnTakeIsNoViolation() {
        Scenario scenario = Scenario.all(2, KeyOperations.named("take"), Scenario.initialPut());
        assertThatCode(() -> scenario.check(new OneKey(store, "group"))).doesNotThrowAnyException();
    }

    private void assertFound(Scenario scenario, String operation) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> scenario.check(new OneKey(store, "group")))
                .withMessageContaining("No order of these calls explains their answers")
                .withMessageContaining(operation);
    }

    private void awaitTheOther() {
        try {
            bothInTheMiddle.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("The other thread has not come", e);
        }
    }
}
