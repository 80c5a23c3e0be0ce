package dev.ttlstore.spring.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.ttlstore.spring.autoconfigure.UnknownPropertyException;

/** Reports a property that is misspelt or no longer exists, and what was probably meant. */
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnknownPropertyException> {

    private static final String DECLARATIONS = " The settings of a group are 'store.groups.<name>.ttl' and"
            + " 'store.groups.<name>.metrics'; those of a scope are 'store.scopes.<namespace>.quota.max-keys',"
            + " '.quota.max-groups' and '.quota.max-bytes'.";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnknownPropertyException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct the name of the property, or remove it." + (cause.isOfDeclaration() ? DECLARATIONS : ""),
                cause);
    }
}
