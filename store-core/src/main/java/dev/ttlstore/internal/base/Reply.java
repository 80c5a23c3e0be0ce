package dev.ttlstore.internal.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.SafeLog;

/**
 * Where the outcome of asynchronous work goes: its answer to the next step, its failure to the future of the whole. Steps that depend on
 * futures would be the shorter way, but without memory the JDK loses them. A reply is made before its work waits, so that nothing needs
 * memory later. Its outcome is given by {@link Completions}, once; later ones do not count.
 *
 * @param <R> the type of the answer
 */
public final class Reply<R extends @Nullable Object> extends NodeQueue.Node<Reply<?>> implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(Reply.class);

    private static final SafeLog NOT_RUN = SafeLog.ofApplication(log, "Code that depends on a future could not be run");
    private static final SafeLog NOT_COMPLETED = new SafeLog(log, "A future could not be completed; this is retried");

    /** The pause before a future that could not be completed is tried again. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Whether the thread passes on an outcome, so that the callers' code runs in it. */
    private static final ThreadLocal<@Nullable Boolean> RUNNING = new ThreadLocal<>();

    private final CompletableFuture<?> future;
    private final Consumer<R> onAnswer;
    private boolean known;
    private boolean begun;
    private @Nullable R answer;
    private @Nullable Throwable failure;
    private Runnable onTurn = () -> {};

    /**
     * Creates the reply to one step of some work.
     *
     * @param future the future of the whole, which fails if the step does, or if the next one throws
     * @param onAnswer the next step, which completes the future or begins another one
     */
    public Reply(CompletableFuture<?> future, Consumer<R> onAnswer) {
        this.future = future;
        this.onAnswer = onAnswer;
    }

    /**
     * Creates the reply to the only step of some work.
     *
     * @param future gets its outcome
     * @return the reply
     * @param <R> the type of the answer
     */
    public static <R extends @Nullable Object> Reply<R> to(CompletableFuture<R> future) {
        return new Reply<>(future, future::complete);
    }

    /** Loads this class. If there were no memory for that when it is first needed, it could never be loaded. */
    static void prepare() {}

    /**
     * Returns whether this thread passes on an outcome of any store, so that others may wait for it.
     *
     * @return true within code that depends on a future
     */
    static boolean isRunning() {
        return Boolean.TRUE.equals(RUNNING.get());
    }

    /**
     * Lets the future fail at once, in this thread, because the work was not accepted.
     *
     * @param cause why
     */
    public void refuse(Throwable cause) {
        boolean unused = future.completeExceptionally(cause);
    }

    /** Sets the outcome. Returns false if there is one already. */
    synchronized boolean set(@Nullable R given, @Nullable Throwable cause, Runnable leave) {
        if (known) {
            return false;
        }
        known = true;
        answer = given;
        failure = cause;
        onTurn = leave;
        return true;
    }

    /** Notes that it no longer waits for a thread of the store's own. Called after the outcome was set. */
    void leave() {
        onTurn.run();
    }

    private synchronized boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    /** Passes the outcome on. Throws nothing. A second call does nothing. */
    @Override
    public void run() {
        if (!begin()) {
            return;
        }
        try {
            leave();
        } finally {
            passMarked();
        }
    }

    private void passMarked() {
        boolean marked = mark();
        try {
            pass();
        } finally {
            if (marked) {
                RUNNING.set(Boolean.FALSE);
            }
        }
    }

    /** Marks this thread. Returns false if it is marked already, or if there is no memory for that. */
    private static boolean mark() {
        try {
            if (isRunning()) {
                return false;
            }
            RUNNING.set(Boolean.TRUE);
            return true;
        } catch (OutOfMemoryError e) { // the outcome must be passed on all the same
            return false;
        }
    }

    @SuppressWarnings("NullAway") // null is a valid answer if R is nullable
    private void pass() {
        Throwable cause = failure;
        if (cause == null) {
            try {
                onAnswer.accept(answer);
                return;
            } catch (Throwable e) { // the caller that waits for the future must learn of it
                cause = e;
            }
            if (future.isDone()) { // a future catches what its dependents throw, unless there is no memory for that
                NOT_RUN.warn(cause);
            }
        }
        fail(cause);
    }

    /** Does not give up before the future is completed. A second try goes on with the dependents that the first left out. */
    private void fail(Throwable cause) {
        boolean done = false;
        while (!done) {
            try {
                boolean unused = future.completeExceptionally(cause);
                done = true;
            } catch (RuntimeException | Error e) {
                NOT_COMPLETED.warn(e);
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }
}
