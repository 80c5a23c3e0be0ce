package dev.ttlstore.spring.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.ttlstore.spring.autoconfigure.UnknownPropertyException;

/** Reports a property that is misspelt or no longer exists, and what was probably meant. */
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnknownPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnknownPropertyException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                Guide.PROPERTIES.after("Correct the name of the property, or remove it. " + cause.settings()),
                cause);
    }
}
