package dev.ttlstore.spring.expiry;

import java.util.ArrayList;
import java.util.List;

/** The calls that go on now, and who waits for their end. Thread-safe. */
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

    /** Runs an action when no call goes on: at once, or at the end of the last one. */
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
