package dev.ttlstore.internal.cache;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.Rows;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

/** What a reader is answered when other processes change rows too. One thread plays all the parts, but for one. */
class SharedCacheTests {

    private static final RowKey KEY = Rows.key("a");
    private static final Row OLD = Rows.permanent("a", 1);
    private static final Row NEW = Rows.permanent("a", 2);

    private final NearCache cache = new NearCache(1_000_000, true);
    private final RowCache.Changes changes = cache.changes();
    private final Map<RowKey, Row> stored = new HashMap<>(Map.of(KEY, OLD));
    private long latestNow = 1_000;
    private boolean followed = true;
    private int reads;

    /** Happens after the row was read, and before the reader has got it. */
    private Runnable meanwhile = () -> {};

    private final Engine engine = engine(() -> {
        Row row = stored.get(KEY);
        reads++;
        Runnable once = meanwhile;
        meanwhile = () -> {};
        once.run();
        return row;
    });

    /** An engine that answers a row, whatever is stored, after something has happened. */
    private Engine engine(Row row, Runnable afterRead) {
        return engine(() -> {
            afterRead.run();
            return row;
        });
    }

    private Engine engine(Supplier<@Nullable Row> read) {
        Reads rows = (Reads) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Reads.class}, (proxy, method, arguments) -> read.get());
        return (Engine) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Engine.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "latestNow" -> latestNow;
                    case "hasFollowed" -> followed;
                    default -> rows;
                });
    }

    private @Nullable Row read() {
        return cache.recent(KEY, engine);
    }

    private void readsReach(int expected) {
        assertThat(reads).isEqualTo(expected);
    }

    /** If its commit is lost with the database that had it, nobody says so. */
    @Test
    @Promise(9)
    void aRowToWhichTheReportsHaveNotComeIsNotKept() {
        followed = false;
        assertThat(read()).isEqualTo(OLD);
        assertThat(read()).isEqualTo(OLD);
        readsReach(2);
        followed = true;
        assertThat(read()).isEqualTo(OLD);
        assertThat(read()).isEqualTo(OLD);
        readsReach(3);
    }

    @Test
    void aRowThatWasReadIsAnsweredWithoutTheEngine() {
        assertThat(read()).isSameAs(OLD);
        assertThat(read()).isSameAs(OLD);
        readsReach(1);
        assertThat(cache.counts().hits()).isEqualTo(1);
    }

    @Test
    void aWriteDoesNotDecideByWhatIsKept() {
        Row unused = read();
        assertThat(cache.peek(KEY)).isNull();
    }

    @Test
    void aReportedChangeIsRead() {
        Row unused = read();
        stored.put(KEY, NEW);
        cache.drop(KEY);
        assertThat(read()).isSameAs(NEW);
    }

    @Test
    void aReadThatBeganBeforeAReportedChangeKeepsNothing() {
        for (Runnable report :
                new Runnable[] {() -> cache.drop(KEY), () -> cache.dropGroup(KEY.group()), cache::dropAll}) {
            stored.put(KEY, OLD);
            cache.drop(KEY);
            meanwhile = () -> {
                stored.put(KEY, NEW);
                report.run();
            };
            assertThat(read()).isSameAs(OLD);
            assertThat(read()).isSameAs(NEW);
        }
    }

    @Test
    void aDeletedGroupIsRead() {
        Row unused = read();
        stored.clear();
        cache.dropGroup(KEY.group());
        assertThat(read()).isNull();
    }

    @Test
    void afterALossAllIsRead() {
        Row unused = read();
        stored.clear();
        cache.dropAll();
        assertThat(read()).isNull();
    }

    @Test
    @Promise(5)
    void aRowThatMayHaveExpiredIsRead() {
        stored.put(KEY, OLD.withExpiry(2_000));
        latestNow = 1_999;
        Row unused = read();
        Row unusedToo = read();
        readsReach(1);
        latestNow = 2_000;
        stored.put(KEY, OLD.withExpiry(3_000)); // renewed, which nobody reports
        assertThat(read()).hasFieldOrPropertyWithValue("expiresAt", 3_000L);
        assertThat(read()).isNotNull();
        readsReach(2);
    }

    @Test
    void nothingIsAnsweredFromTheCacheWhileReportsAreMissing() {
        Row unused = read();
        latestNow = Long.MAX_VALUE;
        stored.put(KEY, NEW);
        assertThat(read()).isSameAs(NEW);
        assertThat(read()).isSameAs(NEW);
        readsReach(3);
    }

    @Test
    void aSlowReaderDoesNotBringBackAnEarlierVersion() {
        meanwhile = () -> {
            stored.put(KEY, NEW);
            assertThat(read()).isSameAs(NEW); // not reported yet
        };
        assertThat(read()).isSameAs(OLD);
        assertThat(read()).isSameAs(NEW);
    }

    @Test
    void aReaderWhoCannotKeepALaterVersionLeavesNoEarlierOne() {
        Row later = cache.recent(KEY, engine(NEW, () -> {
            cache.drop(KEY); // the report of OLD
            assertThat(read()).isSameAs(OLD); // and another reader keeps it
        }));
        assertThat(later).isSameAs(NEW);
        stored.put(KEY, NEW);
        assertThat(read()).isSameAs(NEW);
    }

    @Test
    void aReaderWhoCannotKeepALaterVersionKeepsOthersFromKeepingAnEarlierOne() {
        CountDownLatch hasRead = new CountDownLatch(1);
        CountDownLatch mayKeep = new CountDownLatch(1);
        AtomicReference<Future<Row>> slow = new AtomicReference<>();
        Row later = cache.recent(KEY, engine(NEW, () -> {
            cache.drop(KEY); // the report of OLD
            slow.set(Threads.start(thread -> requireNonNull(cache.recent(KEY, engine(OLD, () -> {
                hasRead.countDown();
                Threads.await(mayKeep);
            })))));
            Threads.await(hasRead);
        }));
        assertThat(later).isSameAs(NEW);
        mayKeep.countDown();
        assertThat(Threads.get(requireNonNull(slow.get()))).isSameAs(OLD);
        stored.put(KEY, NEW);
        assertThat(read()).isSameAs(NEW);
    }

    @Test
    void aReaderWhoReadsDuringACommitOfThisProcessLeavesNoEarlierVersion() {
        changes.change(KEY, null); // as any key of the stripe would do
        meanwhile = () -> {
            changes.failed();
            stored.put(KEY, OLD);
            assertThat(read()).isSameAs(OLD);
            stored.put(KEY, NEW);
        };
        stored.put(KEY, NEW);
        assertThat(read()).isSameAs(NEW);
        assertThat(read()).isSameAs(NEW);
    }

    @Test
    void aSlowReaderDoesNotBringBackWhatAnotherOneFoundMissing() {
        meanwhile = () -> {
            stored.clear();
            assertThat(read()).isNull();
        };
        assertThat(read()).isSameAs(OLD);
        assertThat(read()).isNull();
    }

    @Test
    void aRowThatThisProcessChangesIsReadAfterwards() {
        Row unused = read();
        changes.change(KEY, NEW);
        assertThat(read()).isSameAs(OLD); // not committed yet, and not kept
        stored.put(KEY, NEW);
        changes.committed();
        assertThat(read()).isSameAs(NEW);
        readsReach(3);
    }

    @Test
    void aReportDuringACommitOfThisProcessLeavesItsHoldAlone() {
        changes.change(KEY, NEW);
        cache.drop(KEY);
        Row unused = read();
        stored.put(KEY, NEW);
        changes.committed();
        assertThat(read()).isSameAs(NEW);
        assertThat(read()).isSameAs(NEW);
        readsReach(2);
    }
}
