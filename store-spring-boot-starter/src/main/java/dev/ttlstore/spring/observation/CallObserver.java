package dev.ttlstore.spring.observation;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.Thrown;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/** Observes the calls of one store. Thread-safe. */
final class CallObserver {

    /** What a call has in place of a group if it belongs to no single one. */
    static final String NO_GROUP = "none";

    private static final Logger log = LoggerFactory.getLogger(CallObserver.class);

    private static final StoreObservationConvention DEFAULT = new DefaultStoreObservationConvention();

    private static final String OTHER = "other";

    private final String store;
    private final Set<String> listed;
    private final Supplier<@Nullable Observations> observations;
    private volatile boolean endHasFailed;

    /**
     * Creates an observer.
     *
     * @param store the name of the store's bean
     * @param listed the full names of the groups that are observed under their own names, so that there are few
     * @param observations where to observe the calls; null until the application has started
     */
    CallObserver(String store, Set<String> listed, Supplier<@Nullable Observations> observations) {
        this.store = store;
        this.listed = listed;
        this.observations = observations;
    }

    /**
     * Where calls are observed.
     *
     * @param registry the registry
     * @param convention the application's convention; null for the default one
     */
    record Observations(
            ObservationRegistry registry, @Nullable StoreObservationConvention convention) {

        Observation of(StoreObservationContext context) {
            return StoreObservationDocumentation.CALLS.observation(convention, DEFAULT, () -> context, registry);
        }
    }

    /** A call of the store. */
    interface Call {
        @Nullable
        Object run() throws Throwable;
    }

    /** Returns how a group is named in observations. */
    String label(String group) {
        return listed.contains(group) ? group : OTHER;
    }

    /**
     * Makes a call, and observes it until its answer is there. The observation is the current one of this thread until
     * the method returns; what completes a future runs in any thread, and does not see it.
     */
    @Nullable
    Object observe(ObservedMethod method, String group, Call call) throws Throwable {
        Observations active = observations.get();
        if (active == null || active.registry().isNoop()) {
            return call.run();
        }
        StoreObservationContext context = new StoreObservationContext(store, method.operation(), group);
        Observation observation = active.of(context).start();
        Observation.Scope scope = observation.openScope();
        Object answer;
        try {
            answer = call.run();
        } catch (Throwable e) { // whatever the failure, the call has ended
            end(scope::close);
            end(() -> fail(observation, context, e));
            throw e;
        }
        end(scope::close);
        if (answer instanceof CompletableFuture<?> future) {
            CompletableFuture<?> unused = future.whenComplete((value, failure) -> end(() -> {
                if (failure == null) {
                    succeed(observation, context, method.outcome(value));
                } else {
                    fail(observation, context, failure);
                }
            }));
        } else {
            end(() -> succeed(observation, context, method.outcome(answer)));
        }
        return answer;
    }

    /** Ends something after a call. The call has its answer, so no handler of observations may replace it. */
    private void end(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            if (!endHasFailed) {
                endHasFailed = true;
                log.warn("An observation of a store's call could not be ended; this is logged once", e);
            }
        }
    }

    private static void succeed(Observation observation, StoreObservationContext context, CallOutcome outcome) {
        context.ended(outcome);
        observation.stop();
    }

    private static void fail(Observation observation, StoreObservationContext context, Throwable thrown) {
        Throwable cause = thrown.getCause();
        Throwable failure = thrown instanceof CompletionException && cause != null ? cause : thrown;
        context.failed(failure);
        observation.error(Thrown.withoutMessages(failure));
        observation.stop();
    }
}
