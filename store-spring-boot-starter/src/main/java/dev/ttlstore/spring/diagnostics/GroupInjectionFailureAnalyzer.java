package dev.ttlstore.spring.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.ttlstore.spring.autoconfigure.GroupInjectionException;

/** Reports the injection point of a declared group that lacks the type of the values, and how to write it. */
final class GroupInjectionFailureAnalyzer extends AbstractFailureAnalyzer<GroupInjectionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, GroupInjectionException cause) {
        return new FailureAnalysis(
                cause.getMessage() + ".",
                Guide.GROUPS.after(
                        "Declare it as Group<V>, with the type of the values as V, such as Group<Invite> or Group<List<Invite>>, or"
                                + " as TextGroup or Counters."),
                cause);
    }
}
