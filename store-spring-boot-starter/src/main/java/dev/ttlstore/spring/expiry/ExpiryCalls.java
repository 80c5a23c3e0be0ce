package dev.ttlstore.spring.expiry;

import org.springframework.context.SmartLifecycle;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Calls the handlers of expiries, such as methods with {@link OnExpiry}. It counts the running calls and observes
 * each. Thread-safe.
 *
 * @since 0.1
 * @see OnExpiry
 */
public final class ExpiryCalls {

    /** The name of the observations, and so of the timer that a registry of meters makes of them. */
    private static final String NAME = "store.expiry.handle";

    private final RunningCalls running;
    private final ObservationRegistry registry;

    /**
     * Creates an instance that counts its own calls.
     *
     * @param registry where to observe the calls
     */
    public ExpiryCalls(ObservationRegistry registry) {
        this(new RunningCalls(), registry);
    }

    ExpiryCalls(RunningCalls running, ObservationRegistry registry) {
        this.running = running;
        this.registry = registry;
    }

    /**
     * Calls a handler.
     *
     * @param subscriber the name of its subscriber, which is the only thing that the observation tells: groups may reveal tenants,
     *     and keys may be secrets
     * @param call calls it
     * @throws Exception if the handler throws it
     */
    public void run(String subscriber, Observation.CheckedRunnable<Exception> call) throws Exception {
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

    /**
     * Returns a lifecycle that waits for running calls when the application stops.
     *
     * @return the lifecycle, in the phase of the web server's graceful shutdown
     */
    public SmartLifecycle ending() {
        return new GracefulShutdown(running);
    }
}
