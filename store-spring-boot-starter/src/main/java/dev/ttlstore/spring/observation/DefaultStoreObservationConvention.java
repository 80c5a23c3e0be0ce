package dev.ttlstore.spring.observation;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.spring.observation.StoreObservationDocumentation.Key;

import io.micrometer.common.KeyValues;

/**
 * Names observations {@code store.calls}, and spans after the operation, such as {@code store get}. The keys are those of
 * {@link StoreObservationDocumentation.Key}. Thread-safe.
 *
 * @since 0.1
 * @see StoreObservationContext
 */
public final class DefaultStoreObservationConvention implements StoreObservationConvention {

    /** Creates the convention. */
    public DefaultStoreObservationConvention() {}

    @Override
    public String getName() {
        return "store.calls";
    }

    @Override
    public String getContextualName(StoreObservationContext context) {
        return "store " + context.operation();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(StoreObservationContext context) {
        CallOutcome outcome = context.outcome();
        return KeyValues.of(
                Key.NAME.withValue(context.store()),
                Key.OPERATION.withValue(context.operation()),
                Key.GROUP.withValue(context.group()),
                Key.OUTCOME.withValue(outcome == null ? "unknown" : outcome.value()),
                Key.EXCEPTION.withValue(exception(context.exception())));
    }

    private static String exception(@Nullable Class<?> type) {
        if (type == null) {
            return "none";
        }
        String name = type.getSimpleName();
        return name.isEmpty() ? type.getName() : name; // an anonymous class has no simple name
    }
}
