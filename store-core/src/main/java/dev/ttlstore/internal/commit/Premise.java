package dev.ttlstore.internal.commit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.EngineTransaction;
import dev.ttlstore.engine.Expected;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/**
 * What a mutation knows of its only row before it is loaded. An engine that finds out whether that still holds when it commits may do
 * without loading the row.
 */
public sealed interface Premise {

    /**
     * Returns the name of the row.
     *
     * @return the name
     */
    RowKey key();

    /**
     * Returns the row by which the mutation is decided.
     *
     * @return the row; null if it counts as missing
     */
    @Nullable
    Row row();

    /**
     * Asks the engine to do without loading the row.
     *
     * @param transaction the commit
     * @return whether it does
     */
    boolean isAcceptedBy(EngineTransaction transaction);

    /**
     * It does not matter how the row is.
     *
     * @param key the name of the row
     */
    record Overwriting(RowKey key) implements Premise {
        @Override
        public @Nullable Row row() {
            return null;
        }

        @Override
        public boolean isAcceptedBy(EngineTransaction transaction) {
            return transaction.canOverwrite(List.of(key));
        }
    }

    /**
     * The row is as it was read.
     *
     * @param key the name of the row
     * @param row the live row; null if there was none
     */
    record AsRead(RowKey key, @Nullable Row row) implements Premise {
        @Override
        public boolean isAcceptedBy(EngineTransaction transaction) {
            return transaction.canSuppose(key, row);
        }
    }

    /**
     * There is a live row, and it is as expected. If there is none, or it is not, the engine changes nothing, and the mutation is
     * decided by what there is. How it changes an expected row depends on nothing else of it, but the answer and the events may.
     *
     * @param key the name of the row
     * @param expected what is expected
     */
    record Expecting(RowKey key, Expected expected) implements Premise {
        @Override
        public Row row() {
            return expected.standIn(key);
        }

        @Override
        public boolean isAcceptedBy(EngineTransaction transaction) {
            return transaction.canExpect(key, expected);
        }
    }
}
