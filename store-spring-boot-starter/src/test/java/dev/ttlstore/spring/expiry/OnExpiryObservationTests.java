package dev.ttlstore.spring.expiry;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.spring.StoreRunner;

import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Calls of {@code @OnExpiry} methods are observations, so that they are timed and traced like requests. */
@Tag("variant")
class OnExpiryObservationTests {

    @TempDir
    private Path folder;

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<Observation.Context> ended = new CopyOnWriteArrayList<>();

    private void expire(Handler handler) {
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                ended.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        StoreRunner.at(folder)
                .withBean(ObservationRegistry.class, () -> registry)
                .withBean(Handler.class, () -> handler)
                .run(context -> {
                    context.getBean(Store.class).group("acme-invites").put("secret", "value", Duration.ofMillis(1));
                    await().until(() -> !ended.isEmpty());
                });
    }

    @Test
    void aCallIsAnObservationAndRunsWithinIt() {
        Handler handler = new Handler(registry, null);
        expire(handler);
        Observation.Context context = ended.get(0);
        assertThat(handler.current.join()).isSameAs(context);
        assertThat(context.getName()).isEqualTo("store.expiry.handle");
        assertThat(context.getContextualName()).isEqualTo("expiry reminder");
        assertThat(context.getAllKeyValues()).containsExactly(KeyValue.of("subscriber", "reminder"));
        assertThat(context.getError()).isNull();
    }

    @Test
    void theExceptionOfAMethodIsItsError() {
        IllegalStateException thrown = new IllegalStateException("the mail server is away");
        expire(new Handler(registry, thrown));
        assertThat(ended.get(0).getError()).isSameAs(thrown);
    }

    @Test
    void aRegistryOfMetersTimesTheCalls() {
        MeterRegistry meters = new SimpleMeterRegistry();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        expire(new Handler(registry, null));
        assertThat(meters.get("store.expiry.handle")
                        .tags("subscriber", "reminder", "error", "none")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    static final class Handler {

        private final ObservationRegistry registry;
        private final @Nullable RuntimeException failure;
        private final CompletableFuture<Observation.@Nullable ContextView> current = new CompletableFuture<>();

        Handler(ObservationRegistry registry, @Nullable RuntimeException failure) {
            this.registry = registry;
            this.failure = failure;
        }

        @OnExpiry(subscriber = "reminder", group = "acme-invites")
        void expired(String value) {
            Observation within = registry.getCurrentObservation();
            current.complete(within == null ? null : within.getContextView());
            if (failure != null) {
                throw failure;
            }
        }
    }
}
