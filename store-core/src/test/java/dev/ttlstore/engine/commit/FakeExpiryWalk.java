package dev.ttlstore.engine.commit;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.Place;

/** A walk that looks at all rows for each page. */
final class FakeExpiryWalk implements ExpiryWalk {

    private final Supplier<Stream<ExpiryRow>> rows;
    private final int pageSize;
    private @Nullable ExpiryRow last;
    private boolean more = true;

    FakeExpiryWalk(Supplier<Stream<ExpiryRow>> rows, int pageSize) {
        this.rows = rows;
        this.pageSize = pageSize;
    }

    @Override
    public List<ExpiryRow> next() {
        ExpiryRow after = last;
        List<ExpiryRow> page = rows.get()
                .filter(row -> after == null || ExpiryRow.ORDER.compare(row, after) > 0)
                .sorted(ExpiryRow.ORDER)
                .limit(pageSize)
                .toList();
        more = page.size() == pageSize;
        if (!page.isEmpty()) {
            last = page.get(page.size() - 1);
        }
        return page;
    }

    @Override
    public Place reached() {
        if (!more) {
            return Place.END;
        }
        return last == null ? Place.START : new Place(last.expiresAt(), last.key(), Long.MAX_VALUE);
    }
}
