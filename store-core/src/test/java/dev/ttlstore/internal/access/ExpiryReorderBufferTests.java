package dev.ttlstore.internal.access;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.RowKey;

import static org.assertj.core.api.Assertions.assertThat;

/** The order of a walk, without an engine. */
@Promise(7)
class ExpiryReorderBufferTests {

    private final List<ExpiryRow> rows = new ArrayList<>();

    @Test
    void ofRowsThatExpireAtOnceEachPageIsToldAsItComes() {
        for (int i = 0; i < 100; i++) {
            rows.add(row("key%02d".formatted(i), 1_000, 1_000));
        }
        ExpiryReorderBuffer expiries = new ExpiryReorderBuffer(
                access(), new ExpiryScan(GroupRange.ALL, 0, 2_000, ExpiryScan.Position.START, 10));
        for (int page = 0; page < 10; page++) {
            assertThat(expiries.next()).containsExactlyElementsOf(rows.subList(page * 10, page * 10 + 10));
        }
        assertThat(expiries.next()).isEmpty();
        assertThat(expiries.hasMore()).isFalse();
    }

    @Test
    void aRenewedRowWaitsForItsExpiryAndItsPlaceAmongThoseOfTheSameTime() {
        ExpiryRow renewed = row("b", 1_000, 500);
        ExpiryRow later = row("x", 1_000, 600);
        ExpiryRow a = row("a", 1_000, 1_000);
        ExpiryRow c = row("c", 1_000, 1_000);
        ExpiryRow z = row("z", 1_000, 1_000);
        rows.addAll(List.of(renewed, later, a, c, z));
        ExpiryReorderBuffer expiries = new ExpiryReorderBuffer(
                access(), new ExpiryScan(GroupRange.ALL, 0, 2_000, ExpiryScan.Position.START, 2));
        assertThat(expiries.next()).isEmpty();
        assertThat(expiries.next()).containsExactly(a, renewed, c);
        assertThat(expiries.next()).containsExactly(later, z);
    }

    private static ExpiryRow row(String key, long expiresAt, long dueAt) {
        return new ExpiryRow(new RowKey("group", key), 1, expiresAt, dueAt, 1);
    }

    private RowAccess access() {
        return (RowAccess) Proxy.newProxyInstance(
                RowAccess.class.getClassLoader(), new Class<?>[] {RowAccess.class}, (proxy, method, arguments) -> {
                    ExpiryScan scan = (ExpiryScan) arguments[0];
                    return rows.stream()
                            .filter(row -> compare(row, scan.after()) > 0)
                            .limit(scan.limit())
                            .toList();
                });
    }

    private static int compare(ExpiryRow row, ExpiryScan.Position place) {
        int order = Long.compare(row.dueAt(), place.dueAt());
        return order != 0 ? order : row.key().key().compareTo(place.key().key());
    }
}
