package dev.ttlstore.sqlite;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.EngineView.Loaded;
import dev.ttlstore.engine.NamespaceUsage;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.OwnerState;

/**
 * A snapshot that reads what is committed. It needs no transaction in the file, because nobody else writes while it is used.
 *
 * @param engine sets numbers aside
 * @param reads reads what is committed
 * @param owner has the clock, the numbers and the usage
 */
record SqliteSnapshot(SqliteEngine engine, PooledReads reads, OwnerState owner) implements EngineSnapshot {

    @Override
    public Loaded load(Collection<RowKey> keys, Collection<String> namespaces) {
        Map<String, NamespaceUsage> usage = new HashMap<>();
        for (String namespace : namespaces) {
            usage.put(namespace, owner.usage().of(namespace, reads::usage));
        }
        return new Loaded(keys.isEmpty() ? Map.of() : reads.get(keys, Reads.ALL), usage);
    }

    @Override
    public long now() {
        return owner.clock().now();
    }

    /** Sets numbers aside in a commit of its own, because the transaction may show them and then be lost with the process. */
    @Override
    public long nextSequence(String group) {
        long next = owner.next();
        if (owner.due(false) != null) {
            engine.change(transaction -> {}); // which saves what is due
        }
        return next;
    }

    @Override
    public void close() {}
}
