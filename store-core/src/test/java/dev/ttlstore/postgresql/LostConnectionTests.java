package dev.ttlstore.postgresql;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Expiry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreUnavailableException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Connections that break or are missing, other than around a COMMIT. */
@Tag("postgresql")
class LostConnectionTests {

    private static final String LOST = "The connection to PostgreSQL is lost or could not be made";

    private final Nodes nodes = new Nodes();
    private final Proxy proxy = proxy();

    private Proxy proxy() {
        try {
            return nodes.proxy();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private TextGroup throughProxy() {
        return nodes.open(nodes.hastyPool(3, Nodes.through(proxy))).group("group");
    }

    @Test
    @Promise(23)
    void aReadDuringWhichTheConnectionIsCutRunsOnceMore() {
        TextGroup group = throughProxy();
        group.put("key", "value");
        Trap before = proxy.cutBefore("key");
        assertThat(group.get("key")).contains("value");
        assertThat(before.hasSprung()).isTrue();
        Trap after = proxy.cutAfter("key");
        assertThat(group.getAll(List.of("key", "missing"))).isEqualTo(Map.of("key", "value"));
        assertThat(after.hasSprung()).isTrue();
    }

    @Test
    @Promise(23)
    void aWriteWhoseFirstRoundTripIsCutRunsOnceMore() {
        TextGroup group = throughProxy();
        Trap trap = proxy.cutAfter(Nodes.LOCK);
        String large = "x".repeat(600_000); // two are too large for the server to decide in one round trip
        group.putAll(Map.of("key", large, "other", large));
        assertThat(trap.hasSprung()).isTrue();
        assertThat(group.get("key")).contains(large);
    }

    @Test
    @Promise(23)
    void oneDeadConnectionOfThePoolIsNoticedByNobody() {
        HikariDataSource pool = nodes.pool(1, Nodes.through(proxy), Nodes.PATIENCE); // to replace one may take a while
        TextGroup group = nodes.openLooking(pool).group("group");
        group.put("key", "value");
        proxy.cut();
        assertThat(group.get("key")).contains("value");
        proxy.cut();
        group.put("key", "changed");
    }

    @Test
    @Promise(23)
    void aTransactionThatBeginsOnADeadConnectionBeginsOnAnotherOne() {
        Store store = nodes.open(nodes.hastyPool(3, Nodes.through(proxy)));
        store.group("group").put("key", "value");
        Trap trap = proxy.cutAfter("REPEATABLE READ");
        store.transactWithoutResult(tx -> tx.group("group").put("key", "changed"));
        assertThat(trap.hasSprung()).isTrue();
        assertThat(store.group("group").get("key")).contains("changed");
    }

    @Test
    @Promise(23)
    void readsAndWritesFailClearlyWhileTheServerIsAwayAndWorkAgainAfterwards() {
        TextGroup group = throughProxy();
        group.put("key", "value");
        proxy.refuse();
        assertThatThrownBy(() -> group.get("key"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(LOST);
        assertThatThrownBy(() -> group.put("key", "changed"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Try again; the store recovers by itself");
        proxy.accept();
        // The pool takes its time until it tries again.
        Awaitility.await().atMost(Nodes.PATIENCE).ignoreExceptions().untilAsserted(() -> assertThat(group.get("key"))
                .contains("value"));
        group.put("key", "changed");
        assertThat(group.get("key")).contains("changed");
    }

    @Test
    @Promise(23)
    void writesThatWaitTogetherForAConnectionFailTogether() {
        TextGroup group = throughProxy();
        group.put("key", "value");
        proxy.refuse();
        // A write that is sent before the node knows that the server is away has an unknown outcome, and this is not
        // about those.
        assertThatThrownBy(() -> group.get("key")).hasMessageContaining(LOST);
        long start = System.nanoTime();
        List<CompletableFuture<Throwable>> writes = IntStream.range(0, 12)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> catchThrowable(
                                () -> group.putAll(Map.of("a" + i, "value", "b" + i, "value"), Expiry.never())),
                        task -> Threads.start("put", task::run)))
                .toList();
        assertThat(writes).allSatisfy(write -> assertThat(write.join()).hasMessageContaining(LOST));
        // One write waits alone and the others in one batch, whose members are not tried one by one.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        proxy.accept();
        // The pool takes its time until it tries again.
        Awaitility.await().atMost(Nodes.PATIENCE).ignoreExceptions().untilAsserted(() -> group.put("key", "changed"));
    }

    @Test
    @Promise(23)
    void aPoolWithoutFreeConnectionsFailsClearlyAndRecovers() throws Exception {
        HikariDataSource pool = nodes.hastyPool(1, TestServer.dataSource());
        TextGroup group = nodes.openLooking(pool).group("group");
        group.put("key", "value");
        try (var held = pool.getConnection()) {
            assertThat(held.isValid(1)).isTrue();
            assertThatThrownBy(() -> group.get("key"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(LOST)
                    .hasMessageContaining("larger pool");
            assertThatThrownBy(() -> group.put("key", "changed")).isInstanceOf(StoreUnavailableException.class);
        }
        assertThat(group.get("key")).contains("value");
        group.put("key", "changed");
        assertThat(group.get("key")).contains("changed");
    }

    @Test
    @Promise(23)
    void aServerThatFallsSilentEndsAReadAfterTheSocketTimeout() throws Exception {
        PGSimpleDataSource source = Nodes.through(proxy);
        source.setSocketTimeout(1);
        source.setConnectTimeout(1);
        source.setLoginTimeout(1);
        TextGroup group = nodes.open(nodes.hastyPool(3, source)).group("group");
        group.put("key", "value");
        proxy.hold();
        CompletableFuture<Throwable> read = CompletableFuture.supplyAsync(() -> catchThrowable(() -> group.get("key")));
        assertThat(read.get(10, TimeUnit.SECONDS))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(LOST);
        proxy.release();
        // The pool takes its time until it tries again.
        Awaitility.await().atMost(Nodes.PATIENCE).ignoreExceptions().untilAsserted(() -> assertThat(group.get("key"))
                .contains("value"));
        group.put("key", "changed");
        assertThat(group.get("key")).contains("changed");
    }
}
