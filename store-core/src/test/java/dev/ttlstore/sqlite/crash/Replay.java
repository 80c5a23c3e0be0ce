package dev.ttlstore.sqlite.crash;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Follows a thread's plan up to the kill. Of each thread one step was under way, and of its parts that were not
 * acknowledged each may have had its effect, wholly, or none.
 */
final class Replay {

    private Replay() {}

    /**
     * Checks what is found of a thread.
     *
     * @return how many steps were acknowledged
     */
    static int check(int thread, Plan plan, Acknowledged acknowledged, SortedMap<Place, State> found) {
        for (int step = 0; ; step++) {
            List<Part> parts = plan.next();
            boolean done = true;
            for (int i = 0; i < parts.size(); i++) {
                Part part = parts.get(i);
                Optional<Boolean> answer = acknowledged.answer(thread, step, i);
                done &= answer.isPresent();
                if (answer.orElseGet(() -> hadItsEffect(part, plan, found))) {
                    plan.took(part);
                }
            }
            if (!done) {
                require(plan.own(), found, "thread " + thread + ", in step " + step + ": " + parts);
                return step;
            }
        }
    }

    /** A part that is there by halves counts as one that is not, and is found to be a difference then. */
    private static boolean hadItsEffect(Part part, Plan plan, SortedMap<Place, State> found) {
        return !part.leavesAlike(plan.own(), found) && part.isIn(found);
    }

    private static void require(SortedMap<Place, State> expected, SortedMap<Place, State> found, String where) {
        if (!expected.equals(found)) {
            throw new AssertionError(where + "\n" + Contents.difference(expected, found));
        }
    }
}
