package dev.ttlstore.contract;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import dev.ttlstore.StoreBuilder;

/** A contract that an engine's test extends. The areas of the contract are nested in it, and take their stores from it. */
public abstract class EngineContract {

    EngineContract() {}

    /**
     * Creates a builder for a store on the engine. Within one test it must name the same place each time.
     *
     * @return the builder
     */
    protected abstract StoreBuilder builder();

    /**
     * Whether one process owns the data, so that its store may cache rows.
     *
     * @return true, unless a subclass says otherwise
     */
    protected boolean isExclusive() {
        return true;
    }

    /**
     * Whether a commit locks what it changes before it takes the time, so that no reader can see an entry expire which the
     * commit renews.
     *
     * @return false, unless a subclass says otherwise
     */
    protected boolean decidesUnderLock() {
        return false;
    }

    /**
     * Whether a read over several groups is of one moment.
     *
     * @return true, unless a subclass says otherwise
     */
    protected boolean readsGroupsAtOneMoment() {
        return true;
    }

    /**
     * How many entries a test has that needs very many of them. An engine that looks at all rows for each call says fewer.
     *
     * @return 10,000, or 100,000 in a thorough build, unless a subclass says otherwise
     */
    protected int manyEntries() {
        return Effort.of(10_000, 100_000);
    }

    /** Whether the data survives the closing of the store. */
    boolean lasts() {
        return false;
    }

    /** The builder for the areas. */
    StoreBuilder areaBuilder() {
        return builder();
    }

    /** Tells each area to which contract it belongs. */
    static final class Areas implements BeforeEachCallback {

        @Override
        public void beforeEach(ExtensionContext context) {
            Object test = context.getRequiredTestInstance();
            EngineContract contract = context.getRequiredTestInstances()
                    .findInstance(EngineContract.class)
                    .orElseThrow(() -> new IllegalStateException(test.getClass() + " is in no contract"));
            ((ContractArea) test).belongTo(contract);
        }
    }
}
