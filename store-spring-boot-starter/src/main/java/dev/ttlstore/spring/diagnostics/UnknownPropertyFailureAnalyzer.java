package dev.ttlstore.spring.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.ttlstore.spring.autoconfigure.UnknownPropertyException;

/** Says which property is misspelt or no more, and how it may be meant. */
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnknownPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnknownPropertyException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct the name of the property, or remove it. A group has 'store.groups.<name>.ttl' and"
                        + " 'store.groups.<name>.metrics'; a scope has 'store.scopes.<namespace>.quota.max-keys',"
                        + " '.quota.max-groups' and '.quota.max-bytes'.",
                cause);
    }
}
