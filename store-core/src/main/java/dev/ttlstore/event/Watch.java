package dev.ttlstore.event;

import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Flow;

/**
 * Changes as they are committed, to be read at the reader's own pace: by {@linkplain #poll() asking}, in a
 * {@linkplain #iterator() loop}, or as a {@linkplain #subscribe publisher}. The changes are in commit order, and a change is
 * there to be read by the time that the write which made it returns, unless a listener made it. A change that was committed
 * just before the watch was opened may be among them.
 *
 * <pre>{@code
 * for (WatchSignal signal : watch) {
 *     if (signal instanceof WatchSignal.Change change) {
 *         show(change.event());
 *     } else {
 *         showAllAnew(); // the reader was too slow, and changes were missed
 *     }
 * }
 * }</pre>
 *
 * <p>A slow reader never holds up a writer: changes wait in a buffer of limited {@linkplain WatchOptions capacity}, and what
 * it has no room for is {@linkplain #dropped() dropped}. The reader is told in its place, by a {@link WatchSignal.Gap} before
 * the first change that follows what was missed; nothing is missed without such a signal.
 *
 * <p>A watch is thread-safe. All its readers, subscribers among them, read the one buffer, and each signal goes to one of
 * them; for readers that are each to see everything, open a watch each.
 *
 * <p>A watch costs every commit a little and holds on to its buffer until it is {@linkplain #close() closed}, which
 * {@link dev.ttlstore.Store#closeWatches} and the closing of the store do as well. What was in the buffer can still be read after that.
 */
public interface Watch extends Iterable<WatchSignal>, Flow.Publisher<WatchSignal>, AutoCloseable {

    /**
     * Takes the next signal, without waiting.
     *
     * @return the signal; empty if there is none at the moment
     */
    Optional<WatchSignal> poll();

    /**
     * Takes the next signal, waiting for it if there is none.
     *
     * @param timeout how long to wait at most; zero or less is not to wait
     * @return the signal; empty if the time is over, or if the watch is closed and has been read to its end
     * @throws InterruptedException if the thread is interrupted before or while it waits; no signal is lost by it
     * @throws NullPointerException if {@code timeout} is null
     */
    Optional<WatchSignal> poll(Duration timeout) throws InterruptedException;

    /**
     * Reads signals in a loop. {@link Iterator#hasNext() hasNext} takes the next signal, waiting for it if there is none, and
     * is false when the watch is closed and has been read to its end, or when the thread is interrupted: then this iterator
     * is at its end for good, the thread's interrupt status stays set, and what is in the buffer is left to other readers.
     *
     * @return an iterator from the next signal on, to be used by one thread at a time
     */
    @Override
    Iterator<WatchSignal> iterator();

    /**
     * Passes signals to a subscriber as it {@linkplain Flow.Subscription#request requests} them. The subscriber is called by
     * a daemon thread of its own alone, so it may take its time: what it is too slow for overflows as for any reader.
     *
     * <ul>
     *   <li>One subscriber is active at a time. Another one's {@code onError} gets an {@link IllegalStateException}, until
     *       the first has cancelled or failed; it then goes on with what the first has not been given.
     *   <li>A request for less than one ends the subscription, and {@code onError} gets an {@link IllegalArgumentException}.
     *   <li>When the watch is closed, the subscriber is given what is in the buffer as it requests it, and completes. Until
     *       it does so or cancels, its thread waits.
     *   <li>A subscriber that throws is logged, and its subscription is over.
     * </ul>
     *
     * @param subscriber who gets the signals
     * @throws NullPointerException if {@code subscriber} is null
     */
    @Override
    void subscribe(Flow.Subscriber<? super WatchSignal> subscriber);

    /**
     * How many changes have been dropped because the buffer was full. The {@linkplain WatchSignal.Gap gaps} tell where.
     *
     * @return the count since the watch was opened
     */
    long dropped();

    /**
     * How many changes have given way to a later one of the same entry, under {@link Overflow#LATEST_PER_KEY}. They do not
     * count as dropped.
     *
     * @return the count since the watch was opened
     */
    long conflated();

    /**
     * Whether no more changes come in.
     *
     * @return true once the watch or its store has been closed; there may still be something to read
     */
    boolean isClosed();

    /**
     * Ends the watch: no more changes come in. What is in the buffer can still be read; waiting readers return, and a
     * subscriber completes once it has been given the rest. Closing again does nothing.
     */
    @Override
    void close();
}
