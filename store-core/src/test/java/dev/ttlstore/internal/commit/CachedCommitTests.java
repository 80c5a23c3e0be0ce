package dev.ttlstore.internal.commit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.commit.Writes;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreFullException;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.cache.RowCache;
import dev.ttlstore.internal.watch.Dispatchers;
import dev.ttlstore.internal.watch.EventDispatcher;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Every way of a write tells the cache in time: who reads when the engine is about to commit must leave nothing old behind. */
@Promise(8)
class CachedCommitTests {

    private static final RowKey KEY = Rows.key("a");
    private static final RowKey OTHER = Rows.key("other", "b");

    private final FakeEngine engine = new FakeEngine(new MovableClock());
    private final RowCache cache = RowCache.of(1_000_000, false);
    private final EventDispatcher dispatcher = Dispatchers.plain();
    private final CommitPipeline pipeline =
            PipelineBuilder.on(engine).cache(cache).dispatcher(dispatcher).build();

    private @Nullable Row read(RowKey key) {
        return cache.read(key, engine.reads());
    }

    private static Mutation<Long> put(RowKey key, String value) {
        return Mutation.put(key, Rows.value(value), ExpiryRule.NEVER);
    }

    private void stands(Row row) {
        engine.put(row);
        assertThat(read(row.key())).isSameAs(row);
    }

    /** Reads before the engine commits, as another thread would. */
    private void readWithinCommits(RowKey... keys) {
        engine.onCommit(transaction -> {
            for (RowKey key : keys) {
                Row unused = read(key);
            }
        });
    }

    private void assertAsStored(RowKey... keys) {
        for (RowKey key : keys) {
            assertThat(read(key)).isSameAs(engine.rows().get(key));
        }
    }

    @Test
    void aPut() {
        stands(Rows.permanent("a", 1));
        readWithinCommits(KEY);
        Writes.submit(pipeline, put(KEY, "new"));
        assertAsStored(KEY);
        assertThat(cache.peek(KEY)).isNotNull();
    }

    @Test
    void aDeletion() {
        stands(Rows.permanent("a", 1));
        readWithinCommits(KEY);
        assertThat(Writes.submit(pipeline, Writes.delete(KEY))).isTrue();
        assertAsStored(KEY);
    }

    @Test
    void aNewExpiry() {
        stands(Rows.permanent("a", 1));
        readWithinCommits(KEY);
        assertThat(Writes.submit(pipeline, Writes.reschedule(KEY, ExpiryRule.NOW)))
                .isTrue();
        assertAsStored(KEY);
    }

    @Test
    void anExpiredRowThatAMutationFinds() {
        stands(Rows.expiring("a", 1, Rows.NOW));
        readWithinCommits(KEY);
        assertThat(Writes.submit(pipeline, Writes.delete(KEY))).isFalse();
        assertThat(engine.rows()).isEmpty();
        assertAsStored(KEY);
    }

    @Test
    void aTransaction() {
        stands(Rows.permanent("a", 1));
        stands(Rows.in("other", "b", 2, Row.NEVER));
        readWithinCommits(KEY, OTHER);
        pipeline.transact(draft -> {
            assertThat(draft.reads().get(KEY, Reads.NOW)).isSameAs(read(KEY));
            long unused = Writes.apply(draft, put(KEY, "new"));
            return draft.clear(GroupRange.only("other"));
        });
        assertThat(engine.rows()).containsOnlyKeys(KEY);
        assertAsStored(KEY, OTHER);
    }

    @Test
    void aPurge() {
        stands(Rows.expiring("a", 1, Rows.NOW));
        stands(Rows.in("other", "b", 2, Row.NEVER));
        readWithinCommits(KEY, OTHER);
        Subscription listener = Dispatchers.subscribe(dispatcher, event -> {}); // otherwise the purge only counts
        assertThat(pipeline.purge(GroupRange.ALL, Rows.NOW).removed()).hasSize(1);
        listener.close();
        assertAsStored(KEY, OTHER);
        assertThat(cache.peek(OTHER)).isNotNull();
    }

    @Test
    void aClear() {
        stands(Rows.permanent("a", 1));
        stands(Rows.expiring("expired", 2, Rows.NOW));
        stands(Rows.in("other", "b", 3, Row.NEVER));
        readWithinCommits(KEY, Rows.key("expired"), OTHER);
        assertThat(pipeline.clear(GroupRange.only("group"))).isEqualTo(1);
        assertAsStored(KEY, Rows.key("expired"), OTHER);
        assertThat(cache.peek(OTHER)).isNotNull();
    }

    @Test
    void aClearOfManyGroups() {
        stands(Rows.permanent("a", 1));
        stands(Rows.in("other", "b", 3, Row.NEVER));
        readWithinCommits(KEY, OTHER);
        assertThat(pipeline.clear(GroupRange.ALL)).isEqualTo(2);
        assertAsStored(KEY, OTHER);
    }

    @Test
    void aCommitThatTheEngineRefuses() {
        stands(Rows.permanent("a", 1));
        engine.onCommit(transaction -> {
            throw new StoreFullException("on purpose", new IllegalStateException());
        });
        assertThatExceptionOfType(StoreFullException.class).isThrownBy(() -> Writes.submit(pipeline, put(KEY, "new")));
        assertAsStored(KEY);
        assertThatExceptionOfType(StoreFullException.class).isThrownBy(() -> pipeline.clear(GroupRange.only("group")));
        assertAsStored(KEY);
        assertThatExceptionOfType(StoreFullException.class)
                .isThrownBy(() -> pipeline.transact(draft -> Writes.apply(draft, put(KEY, "new"))));
        assertAsStored(KEY);
        assertThat(cache.peek(KEY)).isNotNull(); // kept again, so no stamp has stayed odd
    }

    @Test
    void aTransactionThatThrows() {
        stands(Rows.permanent("a", 1));
        Row before = read(KEY);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> pipeline.transact(draft -> {
                    long unused = Writes.apply(draft, put(KEY, "new"));
                    throw new IllegalArgumentException("on purpose");
                }));
        assertThat(cache.peek(KEY)).isSameAs(before);
    }

    @Test
    void aBatchThatIsRetriedOneByOneStartsFromWhatStands() {
        RowKey bad = Rows.key("bad");
        stands(Rows.permanent("a", 1));
        engine.onCommit(transaction -> {
            if (transaction.rows().containsKey(bad)) {
                throw new StoreFullException("on purpose", new IllegalStateException());
            }
            Row unused = read(KEY);
        });
        // Queued first, so that the writer who comes commits all three together.
        var first = Async.submit(pipeline, putAll(KEY, bad));
        var second = Async.submit(pipeline, Writes.replaceVersion(KEY, 1, Rows.value("second"), ExpiryRule.KEEP));
        assertThat(second.join()).isPresent();
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(first::join)
                .withCauseInstanceOf(StoreFullException.class);
        assertThat(Objects.requireNonNull(read(KEY)).value()).isEqualTo(Rows.value("second"));
        assertAsStored(KEY, bad);
    }

    private static Mutation<Long> putAll(RowKey... keys) {
        Map<RowKey, byte[]> values = new LinkedHashMap<>();
        for (RowKey key : keys) {
            values.put(key, Rows.value("refused"));
        }
        return Writes.putAll(values, ExpiryRule.NEVER);
    }

    @Test
    void aRowAtHandIsNotLoadedForAWrite() {
        Row cached = Rows.permanent("a", 1);
        stands(cached);
        engine.onCommit(transaction -> assertThat(transaction.stored())
                .singleElement()
                .satisfies(change -> assertThat(change.before()).isSameAs(cached)));
        Writes.submit(pipeline, put(KEY, "new"));
    }
}
