package dev.ttlstore.sqlite;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Ends threads that use the file. */
final class OwnThread {

    private OwnThread() {}

    /**
     * Ends an executor, and waits for the work that has begun. An interrupt does not end the wait, and is kept: the file must not be
     * released while somebody uses it.
     */
    static void end(ExecutorService executor) {
        executor.shutdown();
        boolean interrupted = false;
        while (!executor.isTerminated()) {
            try {
                executor.awaitTermination(1, TimeUnit.SECONDS); // the loop checks whether it has
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
