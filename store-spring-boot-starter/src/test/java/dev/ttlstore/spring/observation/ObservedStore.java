package dev.ttlstore.spring.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/** A store whose calls are observed, and the observations that have ended. The group {@code listed} is listed. */
final class ObservedStore implements ObservationHandler<StoreObservationContext>, AutoCloseable {

    static final String NAME = "ttlStore";

    final TestObservationRegistry registry = TestObservationRegistry.create();
    final Store plain = Store.builder().inMemory().maxValueSize(1_000).open();
    final Store store = ObservedApi.observed(
            plain,
            new CallObserver(
                    NAME, Set.of("listed", "acme:listed"), () -> new CallObserver.Observations(registry, null)));

    private final BlockingQueue<StoreObservationContext> ended = new LinkedBlockingQueue<>();
    private volatile boolean leaked;

    ObservedStore() {
        registry.observationConfig().observationHandler(this);
        plain.scope("full", new Quota(1, 0, 0)).group("listed").put("marker-key", "marker-value");
    }

    @Override
    public void onStop(StoreObservationContext context) {
        leaked |= registry.getCurrentObservation() != null
                && registry.getCurrentObservation().getContextView() == context;
        ended.add(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof StoreObservationContext;
    }

    /** Returns the observation that has ended first; waits for it, because a future completes before its observation. */
    StoreObservationContext next() {
        @Nullable StoreObservationContext next;
        try {
            next = ended.poll(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(next).as("an observation that has ended").isNotNull();
        assertThat(leaked).as("observations that are current when they end").isFalse();
        return next;
    }

    /** Returns those that have ended, without waiting. */
    List<StoreObservationContext> soFar() {
        return new ArrayList<>(ended);
    }

    @Override
    public void close() {
        plain.close();
    }
}
