package dev.ttlstore.spring.documents;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.spring.PostgreSqlApplication;
import dev.ttlstore.spring.backup.StoreBackupJob;
import dev.ttlstore.spring.metrics.BackupMeters;
import dev.ttlstore.spring.metrics.StoreMetrics;
import dev.ttlstore.spring.observation.CallOutcome;
import dev.ttlstore.spring.observation.DefaultStoreObservationConvention;
import dev.ttlstore.spring.observation.StoreObservationDocumentation.Key;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/** The page about metrics lists each meter that there is; on PostgreSQL there are more than in a file. */
@Tag("postgresql")
class MetersTableTests extends PostgreSqlApplication {

    @Test
    void thePageOfMetersHasEachWithItsTagsAndItsMeaning() {
        runner().run(context -> {
            Store store = store(context);
            store.scope("acme", new Quota(1000, 10, 1_000_000)).group("config").put("theme", "dark");
            store.onExpired("reminder", "invites", entry -> {});
            MeterRegistry registry = new SimpleMeterRegistry();
            StoreMetrics metrics = new StoreMetrics(store, Tags.empty(), List.of("acme"));
            metrics.bindTo(registry);
            metrics.findSubscribers();
            assertThat(registry.get("store.entries").gauge().value()).isNotNegative(); // finds those of PostgreSQL
            new BackupMeters(mock(StoreBackupJob.class)).bindTo(registry);
            addCalls(registry);
            new GeneratedTable("observability").assertIs(MetersTable.text(registry));
        });
    }

    /** A registry of observations makes this meter. */
    private static void addCalls(MeterRegistry registry) {
        for (CallOutcome outcome : CallOutcome.values()) {
            Timer.Builder calls = Timer.builder(new DefaultStoreObservationConvention().getName())
                    .description("Calls, with `store.observations.enabled=true`")
                    .tag("error", "");
            for (Key key : Key.values()) {
                calls.tag(key.asString(), key == Key.OUTCOME ? outcome.value() : "");
            }
            calls.register(registry);
        }
    }
}
