package dev.ttlstore.spring.expiry;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/** Calls methods with {@link OnExpiry}: counts the running calls, and observes each. Thread-safe. */
final class ExpiryCalls {

    /** The name of the observations, and so of the timer that a registry of meters makes of them. */
    private static final String NAME = "store.expiry.handle";

    private final RunningCalls running;
    private final ObservationRegistry registry;

    ExpiryCalls(RunningCalls running, ObservationRegistry registry) {
        this.running = running;
        this.registry = registry;
    }

    /**
     * Calls a method.
     *
     * @param subscriber the name of its subscriber, which is the only thing that the observation tells: groups may reveal tenants,
     *     and keys may be secrets
     * @param call calls it
     */
    void run(String subscriber, Observation.CheckedRunnable<Exception> call) throws Exception {
        running.begin();
        try {
            Observation.createNotStarted(NAME, registry)
                    .contextualName("expiry " + subscriber)
                    .lowCardinalityKeyValue("subscriber", subscriber)
                    .observeChecked(call);
        } finally {
            running.end();
        }
    }
}
