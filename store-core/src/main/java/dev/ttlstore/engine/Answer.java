package dev.ttlstore.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What has become of a request.
 *
 * @param accepted whether all its checks held
 * @param outcomes the outcomes of its operations, in their order; none if a check did not hold
 */
public record Answer(boolean accepted, List<Outcome> outcomes) {

    /** The answer to a request of which a check did not hold. */
    public static final Answer REFUSED = new Answer(false, List.of());

    /**
     * Answers a request of which all checks held.
     *
     * @param outcomes the outcomes of its operations, in their order
     * @return the answer
     */
    public static Answer of(List<Outcome> outcomes) {
        return new Answer(true, outcomes);
    }

    /**
     * Returns the outcome of the only operation.
     *
     * @return the outcome
     */
    public Outcome only() {
        return outcomes.get(0);
    }

    /**
     * Tests whether the only operation has applied.
     *
     * @return whether it has
     */
    public boolean isApplied() {
        return only().applied();
    }

    /**
     * Counts the operations that have applied.
     *
     * @return how many there are
     */
    public long applied() {
        long applied = 0;
        for (Outcome outcome : outcomes) {
            applied += outcome.applied() ? 1 : 0;
        }
        return applied;
    }

    /**
     * Returns the version of what the only operation has put.
     *
     * @return the version
     */
    public long version() {
        return only().put().version();
    }

    /**
     * Returns the version of what the only operation has put, if it has.
     *
     * @return the version; empty if it has not applied
     */
    public OptionalLong versionIfApplied() {
        return isApplied() ? OptionalLong.of(version()) : OptionalLong.empty();
    }

    /**
     * Returns the live row that the only operation has found.
     *
     * @return the row, if there was one
     */
    public Optional<Row> before() {
        return Optional.ofNullable(only().before());
    }
}
