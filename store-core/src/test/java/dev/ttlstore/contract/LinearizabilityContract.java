package dev.ttlstore.contract;

import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.linear.KeyOperation;
import dev.ttlstore.contract.linear.KeyOperations;
import dev.ttlstore.contract.linear.OneKey;

/**
 * Every operation on one key happens at one moment between its call and its return, whatever other threads do meanwhile.
 * {@link SeededRaceTests} shows that a violation would be found.
 */
@Promise({8, 10})
abstract class LinearizabilityContract extends ContractArea {

    private static final int ROUNDS = Effort.of(25, 300);

    private int keys;

    @Test
    void whatTwoThreadsAreAnsweredCouldHaveHappenedInTurn() {
        checkRandomScenarios(2);
    }

    @Test
    void whatThreeThreadsAreAnsweredCouldHaveHappenedInTurn() {
        checkRandomScenarios(3);
    }

    @Test
    void whatEightThreadsAreAnsweredWhoDoTheSameCouldHaveHappenedInTurn() {
        for (KeyOperation operation : KeyOperations.ALL) {
            for (int round = 0; round < Effort.of(2, 5); round++) {
                Scenario.all(8, operation).check(freshKey());
                Scenario.all(8, operation, Scenario.initialPut()).check(freshKey());
            }
        }
    }

    private void checkRandomScenarios(int threads) {
        // Without a seed: what threads make of a scenario is never twice the same. A failure shows all calls.
        Random random = new Random();
        for (int round = 0; round < ROUNDS; round++) {
            Scenario.random(random, threads).check(freshKey());
        }
    }

    private OneKey freshKey() {
        return new OneKey(store(), "group" + keys++);
    }
}
