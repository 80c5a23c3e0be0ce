package dev.ttlstore.internal.watch;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.support.SafeLog;

/** The reader of a watch that waits without a thread, if there is one. Thread-safe. */
final class WaitingReader {

    private static final SafeLog NOT_WOKEN = SafeLog.ofApplication(
            LoggerFactory.getLogger(WaitingReader.class),
            "A reader of a watch could not be woken; the next change tries again");

    private final AtomicReference<@Nullable Runnable> action = new AtomicReference<>();

    /** Lets the next {@link #wake} call an action. */
    void await(Runnable next) {
        if (!action.compareAndSet(null, next)) {
            throw new IllegalStateException("Another action waits for the watch; open a watch for each reader");
        }
    }

    /** Calls the action, if one waits, and forgets it. Throws nothing, because a writer calls this. Needs no memory itself. */
    void wake() {
        Runnable waiting = action.getAndSet(null);
        if (waiting != null) {
            try {
                waiting.run();
            } catch (RuntimeException | Error e) {
                action.compareAndSet(null, waiting);
                NOT_WOKEN.warn(e);
            }
        }
    }
}
