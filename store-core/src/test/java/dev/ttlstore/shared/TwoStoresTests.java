package dev.ttlstore.shared;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.TwoStoresContract;
import dev.ttlstore.engine.commit.FakeDatabase;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchSignal;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Two stores on one fake database. */
class TwoStoresTests extends TwoStoresContract {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private @Nullable FakeDatabase database;
    private final Map<Node, FakeEngine> engines = new EnumMap<>(Node.class);

    @Override
    protected StoreBuilder builder(Node node) {
        return Store.builder().engine(settings -> {
            if (node == Node.FIRST) {
                database = new FakeDatabase(settings.clock());
            }
            FakeEngine engine = new FakeEngine(Objects.requireNonNull(database));
            engines.put(node, engine);
            return engine;
        });
    }

    @Test
    @Promise(15)
    void whatAnEngineHasMissedIsAGapInItsWatches() throws InterruptedException {
        try (Store writer = builder(Node.FIRST).open();
                Store follower = builder(Node.SECOND).open();
                Watch watch = follower.group("group").watch()) {
            FakeEngine engine = Objects.requireNonNull(engines.get(Node.SECOND));
            writer.group("group").put("a", "value");
            assertThat(watch.poll(PATIENCE)).get().isInstanceOf(WatchSignal.Change.class);
            engine.disconnect();
            writer.group("group").put("b", "value");
            long missed = follower.group("group").entry("b").orElseThrow().version();
            engine.reconnect(missed);
            assertThat(watch.poll(PATIENCE)).contains(new WatchSignal.Gap(missed, 1));
            writer.group("group").put("c", "value");
            assertThat(watch.poll(PATIENCE)).get().isInstanceOf(WatchSignal.Change.class);
        }
    }

    @Override
    protected void kill(Node node) {
        Objects.requireNonNull(engines.get(node))
                .close(); // beneath its store, without a word to anybody: its claims stay until they end
    }
}
