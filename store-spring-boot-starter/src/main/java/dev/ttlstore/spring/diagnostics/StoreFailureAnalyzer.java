package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.ttlstore.StoreException;
import dev.ttlstore.StoreLockedException;

/** Says why the store could not be opened, and what to do, in place of a stack trace. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, StoreException cause) {
        if (cause instanceof StoreLockedException locked) {
            return new FailureAnalysis(
                    "The store " + locked.path() + " is in use by " + locked.holder()
                            + ". A store file belongs to one process at a time.",
                    "Stop the other process, or give this application a store of its own with the property 'store.path'.",
                    cause);
        }
        return new FailureAnalysis(cause.getMessage(), null, cause);
    }
}
