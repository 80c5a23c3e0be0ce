package dev.ttlstore.engine.commit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** What a view has read, to be checked before the commit. */
final class FakeGuard {

    private final FakeState base;
    private final Map<RowKey, @Nullable Row> rows = new HashMap<>();
    private final Set<String> namespaces = new HashSet<>();
    private boolean ranges;

    FakeGuard(FakeState base) {
        this.base = base;
    }

    void row(RowKey key, @Nullable Row row) {
        rows.putIfAbsent(key, row);
    }

    void namespace(String namespace) {
        namespaces.add(namespace);
    }

    /** Notes that ranges were read, or changed without naming their rows. */
    void ranges() {
        ranges = true;
    }

    /** Throws if something has changed between the base and a later state. */
    void require(FakeState now) {
        if (now.version() == base.version()) {
            return;
        }
        if (ranges) {
            throw new ConflictException("Something has changed since a range was read");
        }
        rows.forEach((key, row) -> {
            if (!Objects.equals(row, now.rows().get(key))) {
                throw new ConflictException("A row has changed since it was read");
            }
        });
        for (String namespace : namespaces) {
            if (now.lastChange(namespace) > base.version()) {
                throw new ConflictException("The usage of a namespace has changed since it was read");
            }
        }
    }
}
