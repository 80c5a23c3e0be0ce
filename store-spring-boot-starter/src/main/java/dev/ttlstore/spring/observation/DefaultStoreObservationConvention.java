package dev.ttlstore.spring.observation;

import org.jspecify.annotations.Nullable;

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
                StoreObservationDocumentation.Key.NAME.withValue(context.store()),
                StoreObservationDocumentation.Key.OPERATION.withValue(context.operation()),
                StoreObservationDocumentation.Key.GROUP.withValue(context.group()),
                StoreObservationDocumentation.Key.OUTCOME.withValue(outcome == null ? "unknown" : outcome.value()),
                StoreObservationDocumentation.Key.EXCEPTION.withValue(exception(context.exception())));
    }

    private static String exception(@Nullable Class<?> type) {
        if (type == null) {
            return "none";
        }
        String name = type.getSimpleName();
        return name.isEmpty() ? type.getName() : name; // an anonymous class has no simple name
    }
}
