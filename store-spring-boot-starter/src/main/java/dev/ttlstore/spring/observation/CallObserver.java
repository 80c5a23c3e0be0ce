package dev.ttlstore.spring.observation;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.Thrown;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Observes the calls of one store. Thread-safe.
 *
 * @param store the name of its bean
 * @param listed the full names of the groups that are observed under their own names, so that there are few
 * @param observations where to observe them; null until the application has started
 */
record CallObserver(String store, Set<String> listed, Supplier<@Nullable Observations> observations) {

    private static final StoreObservationConvention DEFAULT = new DefaultStoreObservationConvention();

    /** What a call has in place of a group if it belongs to no single one. */
    static final String NO_GROUP = "none";

    private static final String OTHER = "other";

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
    @SuppressWarnings("try") // the scope is only closed; Observation.scoped(…) would record the exception as it is
    @Nullable
    Object observe(ObservedMethod method, String group, Call call) throws Throwable {
        Observations active = observations.get();
        if (active == null || active.registry().isNoop()) {
            return call.run();
        }
        StoreObservationContext context = new StoreObservationContext(store, method.operation(), group);
        Observation observation = active.of(context).start();
        Object answer;
        try (Observation.Scope unused = observation.openScope()) {
            answer = call.run();
        } catch (Throwable e) { // whatever the failure, the call has ended
            fail(observation, context, e);
            throw e;
        }
        if (answer instanceof CompletableFuture<?> future) {
            CompletableFuture<?> unused = future.whenComplete((value, failure) -> {
                if (failure == null) {
                    end(observation, context, method.outcome(value));
                } else {
                    fail(observation, context, failure);
                }
            });
        } else {
            end(observation, context, method.outcome(answer));
        }
        return answer;
    }

    private static void end(Observation observation, StoreObservationContext context, CallOutcome outcome) {
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
