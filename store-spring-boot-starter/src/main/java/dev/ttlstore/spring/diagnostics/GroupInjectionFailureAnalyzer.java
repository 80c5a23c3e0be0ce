package dev.ttlstore.spring.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.ttlstore.spring.autoconfigure.GroupInjectionException;

/** Says where a declared group is injected without the class of its values, and how to write it. */
final class GroupInjectionFailureAnalyzer extends AbstractFailureAnalyzer<GroupInjectionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, GroupInjectionException cause) {
        return new FailureAnalysis(
                cause.getMessage() + ".",
                "Write Group<V> with the class of the values for V. Where that has type parameters itself, inject Store and"
                        + " call group(\"" + cause.group() + "\", codec).",
                cause);
    }
}
