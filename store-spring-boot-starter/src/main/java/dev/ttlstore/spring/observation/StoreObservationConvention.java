package dev.ttlstore.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names the observations of calls. A bean of this type replaces {@link DefaultStoreObservationConvention}.
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
