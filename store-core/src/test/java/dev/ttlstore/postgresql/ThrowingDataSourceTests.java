package dev.ttlstore.postgresql;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Expiry;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A {@code DataSource} around the driver's may throw anything when a statement has run. Nothing is made twice then. */
@Tag("postgresql")
class ThrowingDataSourceTests {

    /** Together too large for the server to decide. */
    private static final String LARGE = "x".repeat(600_000);

    private final Thread caller = Thread.currentThread();
    private final Nodes nodes = new Nodes();
    private final AtomicReference<@Nullable String> failing = new AtomicReference<>();
    private final Store store = nodes.openLooking(TappedDataSource.throwingAfter(TestServer.pool(), this::isFailing));
    private final Store other = nodes.open();

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    /** A lone caller commits in its own thread. */
    private boolean isFailing(String text) {
        String part = failing.get();
        return part != null
                && Thread.currentThread() == caller
                && (text + '.').contains(part)
                && failing.compareAndSet(part, null);
    }

    @Test
    @Promise({8, 11})
    void anIncrementOfTheServerIsMadeOnce() {
        long before = store.counters("counters").increment("key");
        failing.set("apply_one_1");
        assertThat(store.counters("counters").increment("key")).isEqualTo(before + 1);
        assertThat(failing.get()).isNull();
        assertThat(other.counters("counters").get("key")).hasValue(before + 1);
    }

    @Test
    @Promise({8, 11})
    void aCommitWithLocksIsMadeOnce() {
        store.group("group").put("warm", "value");
        failing.set("COMMIT."); // at the end
        store.group("group").putAll(Map.of("key", LARGE, "other", LARGE), Expiry.never());
        assertThat(failing.get()).isNull();
        assertThat(other.group("group").keys()).contains("key", "other");
    }
}
