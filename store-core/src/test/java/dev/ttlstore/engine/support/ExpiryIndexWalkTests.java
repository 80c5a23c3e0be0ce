package dev.ttlstore.engine.support;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.ExpiryIndexWalk.DueRow;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The order of a walk, without an engine. */
@Promise(7)
class ExpiryIndexWalkTests {

    private final List<DueRow> rows = new ArrayList<>();

    @Test
    void ofRowsThatExpireAtOnceEachPageIsToldAsItComes() {
        for (int i = 0; i < 100; i++) {
            rows.add(row("key%02d".formatted(i), 1_000, 1_000));
        }
        ExpiryIndexWalk expiries = walk(10);
        for (int page = 0; page < 10; page++) {
            assertThat(expiries.next())
                    .containsExactlyElementsOf(rows.subList(page * 10, page * 10 + 10).stream()
                            .map(DueRow::row)
                            .toList());
        }
        assertThat(expiries.next()).isEmpty();
        assertThat(expiries.hasMore()).isFalse();
    }

    @Test
    void aRenewedRowWaitsForItsExpiryAndItsPlaceAmongThoseOfTheSameTime() {
        DueRow renewed = row("b", 1_000, 500);
        DueRow later = row("x", 1_000, 600);
        DueRow a = row("a", 1_000, 1_000);
        DueRow c = row("c", 1_000, 1_000);
        DueRow z = row("z", 1_000, 1_000);
        rows.addAll(List.of(renewed, later, a, c, z));
        ExpiryIndexWalk expiries = walk(2);
        assertThat(expiries.next()).isEmpty();
        assertThat(expiries.next()).containsExactly(a.row(), renewed.row(), c.row());
        assertThat(expiries.next()).containsExactly(later.row(), z.row());
    }

    private static DueRow row(String key, long expiresAt, long dueAt) {
        return new DueRow(new ExpiryRow(new RowKey("group", key), 1, expiresAt, 1), dueAt);
    }

    private ExpiryIndexWalk walk(int pageSize) {
        return new ExpiryIndexWalk(
                last -> rows.stream()
                        .filter(due -> new Place(due.dueAt(), due.row().key(), Long.MAX_VALUE).compareTo(last) > 0)
                        .limit(pageSize)
                        .toList(),
                pageSize);
    }
}
