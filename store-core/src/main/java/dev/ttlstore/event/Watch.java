package dev.ttlstore.event;

import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Flow;

/**
 * Gives a reader the committed changes at its own pace: by {@linkplain #poll() polling}, in a {@linkplain #iterator()
 * loop}, as a {@linkplain #subscribe publisher}, or when it is {@linkplain #onReady ready}. The changes come in commit
 * order. When a write returns, its change can be read, unless a listener made the write. The watch may also contain a
 * change that was committed just before it was opened.
 *
 * <pre>{@code
 * try (Watch watch = store.watch("config")) {
 *     for (WatchSignal signal : watch) {
 *         if (signal instanceof WatchSignal.Change change) {
 *             log.info("Changed: {}", change.event());
 *         } else {
 *             log.warn("Changes were dropped because this reader is slow; read the group again");
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>A slow reader never slows down a writer. Changes wait in a buffer of limited {@linkplain WatchOptions capacity},
 * and changes that do not fit are {@linkplain #dropped() dropped}. In place of dropped changes, the reader gets a
 * {@link WatchSignal.Gap}, before the next change. Nothing is dropped without such a signal.
 *
 * <p>A watch is thread-safe. All its readers, including subscribers, read the same buffer, and each signal goes to one
 * of them. If several readers must each see everything, open a watch for each.
 *
 * <p>A watch that starts with the {@linkplain WatchOptions#withExisting() existing entries} reads them when its reader
 * takes them. If that fails, the reader gets the exception, such as a {@link dev.ttlstore.exception.StoreException}, and
 * reads the same entries again with the next call.
 *
 * <p>An open watch costs every commit a little, and keeps its buffer until you {@linkplain #close() close} it. {@link
 * dev.ttlstore.Store#closeWatches} and closing the store also close it. The reader can still read the rest of the
 * buffer. There is one exception: if a watch that starts with the existing entries is closed before its reader has
 * taken {@link WatchSignal.UpToDate}, it gives nothing more. Otherwise a reader that resumes after a later change would
 * miss the remaining entries.
 *
 * @since 0.1
 * @see dev.ttlstore.LiveKeyspace#watch()
 * @see WatchOptions
 * @see WatchSignal
 * @see Overflow
 * @see StoreListener
 */
public interface Watch extends Iterable<WatchSignal>, Flow.Publisher<WatchSignal>, AutoCloseable {

    /**
     * Takes the next signal, without waiting.
     *
     * @return the signal; empty if there is none at the moment
     */
    Optional<WatchSignal> poll();

    /**
     * Takes the next signal, and waits for it if there is none.
     *
     * @param timeout how long to wait at most; zero or less to not wait
     * @return the signal; empty if the time is over, or if the watch is closed and its buffer is empty
     * @throws InterruptedException if the thread is interrupted before or while it waits; no signal is lost
     * @throws NullPointerException if {@code timeout} is null
     */
    Optional<WatchSignal> poll(Duration timeout) throws InterruptedException;

    /**
     * Reads signals in a loop. {@link Iterator#hasNext() hasNext} takes the next signal, and waits for it if there is
     * none. It returns false if the watch is closed and its buffer is empty, or if the thread is interrupted. After an
     * interrupt this iterator has ended, the thread's interrupt status stays set, and the rest of the buffer is left
     * to other readers.
     *
     * @return an iterator that starts at the next signal, for one thread at a time
     */
    @Override
    Iterator<WatchSignal> iterator();

    /**
     * Passes signals to a subscriber as it {@linkplain Flow.Subscription#request requests} them. A daemon thread that
     * serves only this subscriber calls it, so it may take its time. If it is too slow, the buffer overflows as with
     * any reader.
     * <ul>
     * <li>One subscriber is active at a time. Until it has cancelled or failed, another subscriber's {@code onError}
     *     gets an {@link IllegalStateException}. After that, a new subscriber continues with the signals that the
     *     first one has not received.
     * <li>A request for less than one signal ends the subscription, and {@code onError} gets an
     *     {@link IllegalArgumentException}.
     * <li>When the watch is closed, the subscriber gets the rest of the buffer as it requests it, and then completes.
     *     It completes at once if it has not received all existing entries of a watch that starts with them.
     *     Until it has completed or cancelled, its thread waits.
     * <li>If a subscriber throws, the exception is logged and its subscription ends.
     * <li>If existing entries cannot be read, {@code onError} gets the exception and the subscription ends. A new
     *     subscriber continues with the same entries.
     * </ul>
     *
     * @param subscriber receives the signals
     * @throws NullPointerException if {@code subscriber} is null
     */
    @Override
    void subscribe(Flow.Subscriber<? super WatchSignal> subscriber);

    /**
     * Calls an action once, as soon as there is a signal to take or the watch is closed. If that is so already, calls
     * it at once. A reader can use it to wait without a thread: it polls, and if there is no signal, the action wakes
     * it to poll again. By then, another reader may have taken the signal.
     *
     * <p>The action runs in the thread that makes the change, so it must return at once and must not use the store. If it throws, the
     * exception is logged, and the next change calls it again.
     *
     * @param action wakes the reader
     * @throws IllegalStateException if another action waits; only one can
     * @throws NullPointerException if {@code action} is null
     */
    void onReady(Runnable action);

    /**
     * Returns how many changes were dropped because the buffer was full. The {@linkplain WatchSignal.Gap gaps} show
     * where.
     *
     * @return the count since the watch was opened
     */
    long dropped();

    /**
     * Returns how many changes were replaced by a later one of the same entry, under {@link Overflow#LATEST_PER_KEY}.
     * They do not count as dropped.
     *
     * @return the count since the watch was opened
     */
    long conflated();

    /**
     * Returns whether the watch is closed and gets no more changes.
     *
     * @return true once the watch or its store has been closed; the buffer may still hold signals
     */
    boolean isClosed();

    /**
     * Closes the watch, which then gets no more changes. The rest of the buffer can still be read, unless the watch
     * starts with the existing entries and {@link WatchSignal.UpToDate} was not taken yet. Waiting readers return, and a
     * subscriber completes once it has received the rest. Closing again does nothing.
     */
    @Override
    void close();
}
