package dev.ttlstore.internal.cache;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** A cache that holds nothing. */
final class NoCache implements RowCache {

    static final RowCache INSTANCE = new NoCache();

    private NoCache() {}

    @Override
    public @Nullable Row read(RowKey key, Reads engine) {
        return engine.get(key, Reads.ALL);
    }

    @Override
    public @Nullable Row recent(RowKey key, Engine engine) {
        return engine.reads().get(key, Reads.NOW);
    }

    @Override
    public @Nullable Row peek(RowKey key) {
        return null;
    }

    @Override
    public void change(RowKey key, @Nullable Row after) {}

    @Override
    public void clear(String group) {}

    @Override
    public void drop(RowKey key) {}

    @Override
    public void dropGroup(String group) {}

    @Override
    public void dropAll() {}

    @Override
    public void committed() {}

    @Override
    public void failed() {}

    @Override
    public Counts counts() {
        return new Counts(0, 0, 0, 0);
    }
}
