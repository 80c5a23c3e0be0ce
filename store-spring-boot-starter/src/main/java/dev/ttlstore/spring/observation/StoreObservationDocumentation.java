package dev.ttlstore.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of a store and their keys.
 *
 * @since 0.1
 * @see StoreObservationConvention
 */
public enum StoreObservationDocumentation implements ObservationDocumentation {

    /** A call of a store, a scope, a group, a batch or a transaction, until its answer is there. */
    CALLS {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultStoreObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return Key.values();
        }
    };

    /** The keys. Each has few different values. */
    public enum Key implements KeyName {

        /** The name of the store's bean. */
        NAME("name"),

        /** The method that was called, such as {@code get}. */
        OPERATION("operation"),

        /** The full name of the group if it is counted separately, or {@code other}, or {@code none}. */
        GROUP("group"),

        /** A {@link CallOutcome} in lower case, or {@code unknown} while the call runs. */
        OUTCOME("outcome"),

        /** The simple name of the class of the exception that was thrown, or {@code none}. */
        EXCEPTION("exception");

        private final String key;

        Key(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}
