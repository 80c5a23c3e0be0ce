package dev.ttlstore.benchmark.turns;

import java.time.Duration;
import java.util.List;

/**
 * Sides that take turns in one process. On a machine whose disk and cores others use too, this tells more than one long run of each.
 * Each round begins with the next side, so that none always comes after the same one.
 *
 * @param turn how long a turn is
 * @param warmUp how many rounds come before those that count, until all sides are compiled
 * @param rounds how many rounds count
 */
public record TurnTaking(Duration turn, int warmUp, int rounds) {

    /**
     * Measures calls per second.
     *
     * @param sides the callers of each side
     */
    public Rounds of(List<? extends List<? extends Callers.Call>> sides) throws InterruptedException {
        Rounds counted = new Rounds();
        for (int round = -warmUp; round < rounds; round++) {
            double[] reached = new double[sides.size()];
            for (int i = 0; i < reached.length; i++) {
                int side = Math.floorMod(round + i, reached.length);
                reached[side] = Callers.run(sides.get(side), turn).perSecond();
            }
            if (round >= 0) {
                counted.add(reached);
            }
        }
        return counted;
    }
}
