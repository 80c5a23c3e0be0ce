package dev.ttlstore.engine;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Keeps rows. Reads may come from any thread and see committed rows only; {@link #write} is called by one thread at a time.
 *
 * <p>Failures are thrown as the exceptions of {@code dev.ttlstore}: full disk, damage, and, after {@link #close()},
 * {@code StoreClosedException} from every call.
 */
public interface Engine extends EngineReads, AutoCloseable {

    /**
     * Tells what the engine is.
     *
     * @return the engine's name and place
     */
    EngineInfo info();

    /**
     * Tells how far the store had come when it was last saved.
     *
     * @return the state that {@link EngineTransaction#save} kept last; all zero in a new store
     */
    StoreState state();

    /**
     * Counts all rows.
     *
     * @param now the time to judge expiry by
     * @return the live, the expired and the retained ones
     */
    Totals totals(long now);

    /**
     * Tells how much room the store takes.
     *
     * @return the sizes of its files
     */
    Sizes sizes();

    /**
     * When an entry may expire next.
     *
     * @return a time before which none does that stands now, in milliseconds since the epoch; {@link Row#NEVER} if none
     *     expires
     */
    long nextDue();

    /**
     * The subscribers and their deliveries, as they were last committed.
     *
     * @return what reads them
     */
    DeliveryReads deliveries();

    /**
     * Runs work in one transaction, which is committed when the work returns and rolled back when it throws. When there was no
     * room for it, and some could be made, the work is run again: {@link EngineTransaction#isRepeated()} says so then. Room is
     * made for what removes or shrinks rows in any case.
     *
     * @param work what to do; it must not keep the transaction
     * @return what the work returned
     * @param <R> the type of the answer
     * @throws ConflictException if another owner has changed what the work has read; nothing was committed, and the caller
     *     decides again. An engine makes sure that this ends, for instance by taking a lock after a conflict
     * @throws dev.ttlstore.exception.OutcomeUnknownException if it is not known whether the commit was made; the caller does
     *     not run the work again
     */
    <R extends @Nullable Object> R write(Function<EngineTransaction, R> work);

    /**
     * Waits, not for long and not after an interrupt, until what the engine does behind its commits has caught up with them.
     * Long work that others wait beside asks for it between its commits, for what has piled up is paid by whoever writes next.
     */
    void settle();

    /**
     * Checks that what the engine keeps can still be reached, and that what it does behind its commits keeps up with them, and
     * throws a {@code StoreException} when that is not so.
     */
    void check();

    /** Lets running calls finish and gives back all that was opened. Closing again does nothing. */
    @Override
    void close();
}
