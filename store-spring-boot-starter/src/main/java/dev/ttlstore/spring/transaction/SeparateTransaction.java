package dev.ttlstore.spring.transaction;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Runs work on a store outside the application's transaction that the thread is in. What it writes is there at once, and stays if
 * that transaction is rolled back. For locks, rate limits and caches, whose writes belong to no transaction. It concerns only stores on
 * PostgreSQL, because those in a file take part in no transaction of the application.
 *
 * <p>The work must not use entries that the transaction has written: it would wait for the transaction, which waits for the work.
 */
public final class SeparateTransaction {

    /** Whether the thread is outside; null stands for no. */
    private static final ThreadLocal<@Nullable Boolean> OUTSIDE = new ThreadLocal<>();

    private SeparateTransaction() {}

    /** Tests whether the calling thread runs such work. */
    static boolean isActive() {
        return Boolean.TRUE.equals(OUTSIDE.get());
    }

    /**
     * Runs work outside the transaction.
     *
     * @param work the work. What it throws is thrown
     */
    public static void run(Runnable work) {
        boolean unused = call(() -> {
            work.run();
            return true;
        });
    }

    /**
     * Runs work outside the transaction.
     *
     * @param <R> what the work returns
     * @param work the work. What it throws is thrown
     * @return what the work returns
     */
    public static <R extends @Nullable Object> R call(Supplier<R> work) {
        Boolean before = OUTSIDE.get();
        OUTSIDE.set(true);
        try {
            return work.get();
        } finally {
            if (before == null) {
                OUTSIDE.remove();
            } else {
                OUTSIDE.set(before);
            }
        }
    }
}
