package dev.ttlstore.spring.observation;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.Observation;

/**
 * What an observation knows of a call. There are few different values of each, and no key or value of an entry. Used by
 * one thread at a time.
 *
 * @since 0.1
 * @see StoreObservationConvention
 */
public final class StoreObservationContext extends Observation.Context {

    private final String store;
    private final String operation;
    private final String group;
    private @Nullable CallOutcome outcome;
    private @Nullable Class<?> exception;

    StoreObservationContext(String store, String operation, String group) {
        this.store = store;
        this.operation = operation;
        this.group = group;
    }

    /**
     * Returns which store was called.
     *
     * @return the name of its bean
     */
    public String store() {
        return store;
    }

    /**
     * Returns the method that was called. Overloads, and synchronous and asynchronous calls, have the same name.
     *
     * @return its name, such as {@code get} or {@code putIfAbsent}
     */
    public String operation() {
        return operation;
    }

    /**
     * Returns the group of the entries.
     *
     * @return its full name if {@code store.groups.<name>.metrics} is true, {@code other} for other groups, and
     *     {@code none} for a call that belongs to no single group
     */
    public String group() {
        return group;
    }

    /**
     * Returns how the call has ended.
     *
     * @return the outcome; null while the call runs
     */
    public @Nullable CallOutcome outcome() {
        return outcome;
    }

    /**
     * Returns the exception that the call has thrown. {@link #getError} is a copy with its stack trace and causes, but
     * without their messages, which may quote a key or a value. Only those of the store are kept, which never do.
     *
     * @return its class; null if there is none
     */
    public @Nullable Class<?> exception() {
        return exception;
    }

    void ended(CallOutcome how) {
        outcome = how;
    }

    void failed(Throwable failure) {
        outcome = CallOutcome.of(failure);
        exception = failure.getClass();
    }
}
