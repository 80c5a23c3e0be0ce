package dev.ttlstore.postgresql;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
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

    /** In place of a code of what the server does not know. */
    private static final int UNKNOWN = -1;

    private ServerOperations() {}

    // A new constant must get its code here, and in functions.sql. A condition or an effect may also have none: then
    // this node decides.

    private static int code(Condition.Kind condition) {
        return switch (condition) {
            case ALWAYS -> 0;
            case ABSENT -> 1;
            case LIVE -> 2;
            case VERSION -> 3;
            case VALUE -> 4;
            case TEXT -> 5;
            case CREATED_BY -> 6;
            case TEST -> UNKNOWN;
        };
    }

    private static int code(Effect.Kind effect) {
        return switch (effect) {
            case NOTHING -> 0;
            case PUT -> 1;
            case DELETE -> 2;
            case RESCHEDULE -> 3;
            case ADD -> 4;
            case COMPUTE, RESTORE, MEND -> UNKNOWN; // 5 is a check
        };
    }

    private static int code(ExpiryRule.Start start) {
        return switch (start) {
            case NOW -> 0;
            case CREATION -> 1;
            case UPDATE -> 2;
            case CURRENT -> 3;
            case AT -> 4;
            case NEVER -> 5;
        };
    }

    private static int code(ExpiryRule.Bound bound) {
        return switch (bound) {
            case NONE -> 0;
            case LATER -> 1;
            case EARLIER -> 2;
        };
    }

    /** Returns the code of a check. */
    static int ofCheck(Condition condition) {
        return CHECK | code(condition.kind());
    }

    /** Returns the code of an operation that the server knows. */
    static int of(Operation operation) {
        ExpiryRule rule = operation.effect().expiry();
        int code = code(operation.condition().kind()) | code(operation.effect().kind()) << EFFECT_SHIFT;
        return rule == null ? code : code | code(rule.start()) << START_SHIFT | code(rule.bound()) << BOUND_SHIFT;
    }

    /** Tests whether the server knows all conditions that must hold before the operations of a request. */
    static boolean knowsChecks(Request request) {
        return request.checks().stream()
                .allMatch(check -> code(check.condition().kind()) != UNKNOWN);
    }

    /**
     * Says why the server does not decide an operation; null if it does.
     *
     * @param alone whether it is the only one of its request
     */
    static @Nullable FallbackReason whyNot(Operation operation, boolean alone) {
        Effect effect = operation.effect();
        if (code(operation.condition().kind()) == UNKNOWN || effect.kind() == Effect.Kind.COMPUTE) {
            return FallbackReason.CODE;
        }
        if (code(effect.kind()) == UNKNOWN) {
            return FallbackReason.TIMES;
        }
        if (effect.kind() == Effect.Kind.ADD && !(alone && isShort(effect.delta()))) {
            return FallbackReason.FORM;
        }
        ExpiryRule rule = effect.expiry();
        return rule != null && rule.start() == ExpiryRule.Start.CURRENT && !isShort(rule) ? FallbackReason.TIMES : null;
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
                && (rule.start() != ExpiryRule.Start.CURRENT || rule.millis() == 0);
        return renews || operation.effect().kind() == Effect.Kind.NOTHING;
    }
}
