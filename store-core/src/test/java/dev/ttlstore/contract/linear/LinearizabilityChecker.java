package dev.ttlstore.contract.linear;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for an order of calls, each at one moment between its beginning and its end, in which a sequential model gives the
 * very answers that were given (Herlihy and Wing, "Linearizability: a correctness condition for concurrent objects", ACM
 * TOPLAS 12, 1990).
 *
 * <p>The search is that of Wing and Gong ("Testing and verifying concurrent objects", Journal of Parallel and Distributed
 * Computing 17, 1993): try each call that may come next, and go back where the model answers otherwise. As Lowe has shown
 * ("Testing for linearizability", Concurrency and Computation: Practice and Experience 29, 2017), remembering the pairs of
 * calls done and state reached keeps it from searching the same rest twice. It suits histories of some dozens of calls.
 *
 * @param <S> the type of the model's state, a value with {@code equals}
 */
public final class LinearizabilityChecker<S> {

    private static final int MAX_CALLS = Long.SIZE - 1;

    private final List<Call<S>> calls;
    private final Set<Visit<S>> visited = new HashSet<>();
    private final Deque<Call<S>> order = new ArrayDeque<>();

    private LinearizabilityChecker(List<Call<S>> calls) {
        if (calls.size() > MAX_CALLS) {
            throw new IllegalArgumentException("A history has at most " + MAX_CALLS + " calls, not " + calls.size());
        }
        this.calls = List.copyOf(calls);
    }

    /**
     * Looks for an order that explains all answers.
     *
     * @param initial the state before the first call
     * @param calls the calls, in any order
     * @return the calls in an order that explains them; empty if there is none
     */
    public static <S> Optional<List<Call<S>>> explain(S initial, List<Call<S>> calls) {
        LinearizabilityChecker<S> checker = new LinearizabilityChecker<>(calls);
        return checker.search(0, initial) ? Optional.of(List.copyOf(checker.order)) : Optional.empty();
    }

    /** Goes on from a state in which some calls are done, one bit for each. */
    private boolean search(long done, S state) {
        if (Long.bitCount(done) == calls.size()) {
            return true;
        }
        if (!visited.add(new Visit<>(done, state))) {
            return false;
        }
        long firstEnd = firstEnd(done);
        for (int i = 0; i < calls.size(); i++) {
            Call<S> call = calls.get(i);
            // A call that began after another had ended cannot come before it.
            if (isDone(done, i) || call.began() > firstEnd) {
                continue;
            }
            CallOutcome<S> outcome = call.model().apply(state);
            if (!outcome.answer().equals(call.answer())) {
                continue;
            }
            order.addLast(call);
            if (search(done | 1L << i, outcome.next())) {
                return true;
            }
            order.removeLast();
            if (outcome.next().equals(state)) {
                // What changes nothing and may come now need not come later. That holds as long as no two calls
                // lead to the same state by putting it there, of which the values of the operations see to.
                return false;
            }
        }
        return false;
    }

    private long firstEnd(long done) {
        long first = Long.MAX_VALUE;
        for (int i = 0; i < calls.size(); i++) {
            if (!isDone(done, i)) {
                first = Math.min(first, calls.get(i).ended());
            }
        }
        return first;
    }

    private static boolean isDone(long done, int call) {
        return (done & 1L << call) != 0;
    }

    private record Visit<S>(long done, S state) {}
}
