package dev.ttlstore.postgresql;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.ExpiryRule.Bound;
import dev.ttlstore.engine.ExpiryRule.Start;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;

/** What the server's function knows of operations: which it decides, and their codes. */
final class ServerOperations {

    /** Durations up to this one can be added up without a limit. */
    private static final long MOST_MILLIS = Millis.MAX / 4;

    /** From here on, a number may take a sum out of the range of {@code long}. */
    private static final long FIRST_TOO_LONG = 1_000_000_000_000_000_000L;

    // The code of an operation: its condition, and these.
    private static final int EFFECT_SHIFT = 4;
    private static final int CHECK = 5 << EFFECT_SHIFT;
    private static final int START_SHIFT = 8;
    private static final int BOUND_SHIFT = 12;
    /** Added to the code of the first of a request. */
    static final int FIRST_OF_REQUEST = 1 << 16;

    // The code of a constant is its place here, as functions.sql has it. A new condition or effect may also have none:
    // then this node decides.
    private static final List<Condition.Kind> CONDITIONS = List.of(
            Condition.Kind.ALWAYS,
            Condition.Kind.ABSENT,
            Condition.Kind.LIVE,
            Condition.Kind.VERSION,
            Condition.Kind.VALUE,
            Condition.Kind.TEXT,
            Condition.Kind.CREATED_BY);
    private static final List<Effect.Kind> EFFECTS =
            List.of(Effect.Kind.NOTHING, Effect.Kind.PUT, Effect.Kind.DELETE, Effect.Kind.RESCHEDULE, Effect.Kind.ADD);
    private static final List<Start> STARTS =
            List.of(Start.NOW, Start.CREATION, Start.UPDATE, Start.CURRENT, Start.AT, Start.NEVER);
    private static final List<Bound> BOUNDS = List.of(Bound.NONE, Bound.LATER, Bound.EARLIER);

    private ServerOperations() {}

    /** Returns the code of a check. */
    static int ofCheck(Condition condition) {
        return CHECK | CONDITIONS.indexOf(condition.kind());
    }

    /** Returns the code of an operation that the server knows. */
    static int of(Operation operation) {
        ExpiryRule rule = operation.effect().expiry();
        int code = CONDITIONS.indexOf(operation.condition().kind())
                | EFFECTS.indexOf(operation.effect().kind()) << EFFECT_SHIFT;
        return rule == null
                ? code
                : code | STARTS.indexOf(rule.start()) << START_SHIFT | BOUNDS.indexOf(rule.bound()) << BOUND_SHIFT;
    }

    /** Tests whether the server knows all conditions that must hold before the operations of a request. */
    static boolean knowsChecks(Request request) {
        return request.checks().stream()
                .allMatch(check -> CONDITIONS.contains(check.condition().kind()));
    }

    /**
     * Says why the server does not decide an operation; null if it does.
     *
     * @param alone whether it is the only one of its request
     */
    static @Nullable FallbackReason whyNot(Operation operation, boolean alone) {
        Effect effect = operation.effect();
        if (!CONDITIONS.contains(operation.condition().kind()) || effect.kind() == Effect.Kind.COMPUTE) {
            return FallbackReason.CODE;
        }
        if (!EFFECTS.contains(effect.kind())) {
            return FallbackReason.TIMES;
        }
        if (effect.kind() == Effect.Kind.ADD && !(alone && isShort(effect.delta()))) {
            return FallbackReason.FORM;
        }
        ExpiryRule rule = effect.expiry();
        return rule != null && rule.start() == Start.CURRENT && !isShort(rule) ? FallbackReason.TIMES : null;
    }

    private static boolean isShort(long number) {
        return -FIRST_TOO_LONG < number && number < FIRST_TOO_LONG;
    }

    private static boolean isShort(ExpiryRule rule) {
        return rule.millis() <= MOST_MILLIS && (rule.otherwise() <= MOST_MILLIS || rule.otherwise() == Row.NEVER);
    }

    /** Tests whether the changes in the log tell what the operation has found, as far as its answer needs that. */
    static boolean isToldByTheLog(Operation operation) {
        ExpiryRule rule = operation.effect().expiry();
        return operation.effect().kind() == Effect.Kind.PUT
                && operation.condition().kind() == Condition.Kind.ALWAYS
                && !operation.returning()
                && rule != null
                && !rule.looksAtEntry();
    }

    /** Tests whether an operation may be done twice without harm. */
    static boolean isRepeatable(Operation operation) {
        ExpiryRule rule = operation.effect().expiry();
        boolean renews = operation.effect().kind() == Effect.Kind.RESCHEDULE
                && rule != null
                && (rule.start() != Start.CURRENT || rule.millis() == 0);
        return renews || operation.effect().kind() == Effect.Kind.NOTHING;
    }
}
