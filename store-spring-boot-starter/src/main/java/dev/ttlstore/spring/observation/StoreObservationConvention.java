package dev.ttlstore.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names the observations of calls. A bean of this type replaces {@link DefaultStoreObservationConvention}.
 *
 * <pre>{@code
 * @Bean
 * StoreObservationConvention storeObservations() {
 *     return new StoreObservationConvention() {
 *         @Override
 *         public String getName() {
 *             return "storage";
 *         }
 *
 *         @Override
 *         public KeyValues getLowCardinalityKeyValues(StoreObservationContext context) {
 *             return KeyValues.of("operation", context.operation());
 *         }
 *     };
 * }
 * }</pre>
 *
 * @since 0.1
 * @see StoreObservationDocumentation
 */
public interface StoreObservationConvention extends ObservationConvention<StoreObservationContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof StoreObservationContext;
    }
}
