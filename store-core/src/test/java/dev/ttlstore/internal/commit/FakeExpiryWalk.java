package dev.ttlstore.internal.commit;

import java.util.List;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.RowKey;

/** A walk over rows that are known from the start. */
final class FakeExpiryWalk implements ExpiryWalk {

    private final int pageSize;
    private List<ExpiryRow> rest;

    FakeExpiryWalk(List<ExpiryRow> rows, int pageSize) {
        this.rest = rows;
        this.pageSize = pageSize;
    }

    @Override
    public List<ExpiryRow> next() {
        int size = Math.min(pageSize, rest.size());
        List<ExpiryRow> page = rest.subList(0, size);
        rest = rest.subList(size, rest.size());
        return page;
    }

    @Override
    public boolean hasMore() {
        return !rest.isEmpty();
    }

    @Override
    public boolean hasReached(long expiresAt, RowKey key) {
        return rest.isEmpty() || ExpiryRow.ORDER.compare(new ExpiryRow(key, 0, expiresAt, 0), rest.get(0)) <= 0;
    }

    @Override
    public long reached() {
        return rest.isEmpty() ? Long.MAX_VALUE : rest.get(0).expiresAt();
    }
}
