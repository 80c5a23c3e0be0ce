package dev.ttlstore.spring.expiry;

import java.util.ArrayList;
import java.util.List;

/** Counts running calls, and runs actions when there are none. Thread-safe. */
final class RunningCalls {

    // Guarded by this.
    private int running;
    private List<Runnable> waiting = new ArrayList<>();

    synchronized void begin() {
        running++;
    }

    void end() {
        List<Runnable> told;
        synchronized (this) {
            running--;
            told = takeWaitingIfNone();
        }
        told.forEach(Runnable::run);
    }

    /** Runs an action when no call is running: at once, or at the end of the last call. */
    void whenNone(Runnable action) {
        List<Runnable> told;
        synchronized (this) {
            waiting.add(action);
            told = takeWaitingIfNone();
        }
        told.forEach(Runnable::run);
    }

    private synchronized List<Runnable> takeWaitingIfNone() {
        if (running > 0) {
            return List.of();
        }
        List<Runnable> taken = waiting;
        waiting = new ArrayList<>();
        return taken;
    }
}
