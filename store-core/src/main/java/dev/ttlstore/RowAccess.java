package dev.ttlstore;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.RetainedScan;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.internal.commit.Mutation;

/** The way from a group to its rows: straight to the store, or within a transaction. Reads answer live rows alone. */
interface RowAccess {

    StoreContext context();

    /** Throws when the store is closed, the transaction has ended, or the one is used inside of the other. */
    void requireUsable();

    /** Throws, beyond that, where there are no writes that nobody waits for. */
    void requireAsync();

    long now();

    @Nullable
    Row read(RowKey key);

    Map<RowKey, Row> read(Collection<RowKey> keys);

    List<KeyValue> readGroup(String group);

    RowPage scan(Scan scan);

    long count(GroupRange groups, long at);

    List<String> groups(GroupRange groups, String after, int limit);

    List<ExpiryRow> expiries(ExpiryScan scan);

    List<Row> retained(RetainedScan scan);

    /** A row as it was committed, expired or not. */
    @Nullable
    Row committed(RowKey key);

    <R extends @Nullable Object> R submit(Mutation<R> mutation);

    <R extends @Nullable Object> CompletableFuture<R> submitAsync(Mutation<R> mutation);

    long clear(GroupRange groups);

    CompletableFuture<Long> clearAsync(String group);

    Watch watch(WatchOptions options, Predicate<StoreEvent> filter, UnaryOperator<StoreEvent> mapping);
}
