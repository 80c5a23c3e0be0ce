package dev.ttlstore.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * What has become of a request. Immutable.
 *
 * @since 0.1
 */
public final class Answer {

    /** The answer to a request that fails a check. */
    public static final Answer REFUSED = new Answer(false, null, List.of(), null);

    private final boolean accepted;

    /** The outcome of the only operation, so that most answers need no list. */
    private final @Nullable Outcome only;

    private final List<Outcome> several;

    private final @Nullable RuntimeException failure;

    private Answer(
            boolean accepted, @Nullable Outcome only, List<Outcome> several, @Nullable RuntimeException failure) {
        this.accepted = accepted;
        this.only = only;
        this.several = several;
        this.failure = failure;
    }

    /**
     * Answers a request of one operation.
     *
     * @param only its outcome
     * @return the answer
     */
    public static Answer of(Outcome only) {
        return new Answer(true, only, List.of(), null);
    }

    /**
     * Answers a request that passes all checks.
     *
     * @param outcomes the outcomes of its operations, in their order
     * @return the answer
     */
    public static Answer of(List<Outcome> outcomes) {
        return new Answer(true, null, outcomes, null);
    }

    /**
     * Answers a request that has failed. Nothing of it was done.
     *
     * @param failure what its caller gets
     * @return the answer
     */
    public static Answer failed(RuntimeException failure) {
        return new Answer(false, null, List.of(), failure);
    }

    /**
     * Returns why the request has failed.
     *
     * @return what its caller gets; null if it has not failed
     */
    public @Nullable RuntimeException failure() {
        return failure;
    }

    /**
     * Tests whether all checks held.
     *
     * @return whether the operations were done
     */
    public boolean accepted() {
        return accepted;
    }

    /**
     * Returns the outcomes of the operations.
     *
     * @return the outcomes, in the order of the operations; none if a check did not hold
     */
    public List<Outcome> outcomes() {
        return only == null ? several : List.of(only);
    }

    /**
     * Returns the outcome of the only operation.
     *
     * @return the outcome
     */
    public Outcome only() {
        return requireNonNull(only);
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
        return outcomes().stream().filter(Outcome::applied).count();
    }

    /**
     * Returns the version of what the only operation has put.
     *
     * @return the version
     */
    public long version() {
        return only().version();
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
     * Returns the live row that the only operation returns.
     *
     * @return the row, if there was one
     */
    public Optional<Row> row() {
        return Optional.ofNullable(only().row());
    }

    /** Returns a text without keys and values, which may be secrets. */
    @Override
    public String toString() {
        return "Answer[accepted=" + accepted + ", applied=" + applied() + "]";
    }
}
