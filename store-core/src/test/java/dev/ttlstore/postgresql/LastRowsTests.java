package dev.ttlstore.postgresql;

import org.junit.jupiter.api.Test;

import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

class LastRowsTests {

    private static final RowKey KEY = new RowKey("group", "key");

    private final LastRows rows = new LastRows();

    private static RowKey key(int i) {
        return new RowKey("group", "key" + i);
    }

    private static Row row(RowKey key, long version, int bytes) {
        return new Row(key, new byte[bytes], version, 1, 1, Row.NEVER);
    }

    /** Notes a row that this node has committed, read again as it was left, and committed once more. */
    private void confirm(RowKey key, int bytes) {
        rows.committed(key, row(key, 1, bytes));
        rows.read(key, row(key, 1, bytes));
        rows.committed(key, row(key, 2, bytes));
    }

    @Test
    void aRowIsSupposedOnceItWasFoundAsItWasLeft() {
        rows.committed(KEY, row(KEY, 1, 10));
        assertThat(rows.recall(KEY)).isNull();
        rows.read(KEY, row(KEY, 1, 10));
        assertThat(rows.recall(KEY)).isNotNull();
        rows.read(KEY, row(KEY, 5, 10));
        assertThat(rows.recall(KEY)).isNull();
    }

    @Test
    void manySmallRowsAreKeptAndTheOldestGoFirst() {
        int many = 15_000;
        for (int i = 0; i < many; i++) {
            confirm(key(i), 8);
        }
        assertThat(rows.recall(key(0))).isNotNull(); // used last from now on
        int few = (int) (LastRows.MOST_BYTES / 1_024 / 2);
        for (int i = many; i < many + few; i++) {
            confirm(key(i), 1_024);
        }
        assertThat(rows.recall(key(0))).isNotNull();
        assertThat(rows.recall(key(1))).isNull();
        assertThat(rows.recall(key(many + few - 1))).isNotNull();
    }

    @Test
    void whatIsForgottenMakesRoom() {
        for (int i = 0; i < 100_000; i++) {
            confirm(KEY, 1_024);
            rows.forget(KEY);
        }
        confirm(key(1), 1_024);
        confirm(key(2), 1_024);
        assertThat(rows.recall(key(1))).isNotNull();
        assertThat(rows.recall(key(2))).isNotNull();
    }

    @Test
    void aRenewedRowIsKnownWithItsNewExpiryUnlessItIsAnotherOne() {
        confirm(KEY, 10);
        rows.renewed(KEY, 2, 1_000);
        Row renewed = requireNonNull(requireNonNull(rows.recall(KEY)).row());
        assertThat(renewed.expiresAt()).isEqualTo(1_000);
        rows.renewed(KEY, 3, 2_000);
        assertThat(rows.recall(KEY)).isNull();
    }

    @Test
    void whatARefusedCommitHasFoundIsSupposedOnce() {
        rows.found(KEY, row(KEY, 7, 5_000));
        assertThat(rows.hasFound(KEY)).isTrue();
        assertThat(rows.recall(KEY)).isNotNull();
        assertThat(rows.hasFound(KEY)).isFalse();
        assertThat(rows.recall(KEY)).isNull();
        rows.found(KEY, null);
        assertThat(rows.hasFound(KEY)).isTrue();
        LastRows.Known known = requireNonNull(rows.recall(KEY));
        assertThat(known.row()).isNull();
        rows.found(KEY, row(KEY, 7, 5_000));
        assertThat(rows.hasFound(key(1))).isFalse();
        assertThat(rows.hasFound(KEY)).isFalse(); // another commit came in between
    }
}
