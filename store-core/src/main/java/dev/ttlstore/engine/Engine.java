package dev.ttlstore.engine;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Keeps rows. Reads may come from any thread and see committed rows only; {@link #write} is called by one thread at a time.
 *
 * <p>Names are ordered by their UTF-8 bytes. Failures are thrown as the exceptions of {@code dev.ttlstore}: full disk,
 * damage, and, after {@link #close()}, {@code StoreClosedException} from every call.
 */
public interface Engine extends AutoCloseable {

    /**
     * Tells what the engine is.
     *
     * @return the engine's name and place
     */
    EngineInfo info();

    /**
     * Tells how far the store had come when it was last saved.
     *
     * @return the mark that {@link EngineTransaction#save} kept last; all zero in a new store
     */
    Mark mark();

    /**
     * Reads one row, expired or not.
     *
     * @param group the full group name
     * @param key the key
     * @return the row, or null when there is none
     */
    @Nullable
    Row read(String group, String key);

    /**
     * Reads all live rows of a group, in key order, as they stand at one moment.
     *
     * @param group the full group name
     * @param now the time to judge expiry by
     * @return the rows
     */
    List<Row> readGroup(String group, long now);

    /**
     * Counts the live rows of a group.
     *
     * @param group the full group name
     * @param now the time to judge expiry by
     * @return how many there are
     */
    long count(String group, long now);

    /**
     * Counts all rows.
     *
     * @param now the time to judge expiry by
     * @return the live and the expired ones
     */
    Totals totals(long now);

    /**
     * Lists groups that have a live row, in order.
     *
     * @param after the name to go on after; empty to begin
     * @param now the time to judge expiry by
     * @param limit how many names at most
     * @return the next names; fewer than {@code limit} when there are no more
     */
    List<String> groups(String after, long now, int limit);

    /**
     * Runs work in one transaction, which is committed when the work returns and rolled back when it throws.
     *
     * @param work what to do; it must not keep the transaction
     * @return what the work returned
     * @param <R> the type of the answer
     */
    <R extends @Nullable Object> R write(Function<EngineTransaction, R> work);

    /** Checks that what the engine keeps can still be reached, and throws a {@code StoreException} when it can't. */
    void check();

    /** Lets running calls finish and gives back all that was opened. Closing again does nothing. */
    @Override
    void close();
}
