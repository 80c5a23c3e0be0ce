package dev.ttlstore.spring.session;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import dev.ttlstore.event.Subscription;
import dev.ttlstore.spring.expiry.ExpiryCalls;

/**
 * Publishes a {@code SessionExpiredEvent} for each session that expires. While an instance runs, the event comes
 * within 100 ms. For sessions that expired before, it comes after the next start. Of several instances, one publishes
 * each event. If a listener throws, the event is published again later, as the settings of expiry say. Publishing
 * begins in the last phase of the application's start and ends in the first phase of its stop.
 *
 * @since 0.1
 * @see StoreSessionRepository
 */
public final class SessionExpiries implements SmartLifecycle {

    /** The name of the subscriber. */
    public static final String SUBSCRIBER = "spring-session";

    private final Sessions sessions;
    private final ExpiryCalls calls;

    // Guarded by this.
    private @Nullable Subscription subscription;
    private boolean running;

    /**
     * Creates the publisher.
     *
     * @param sessions the sessions
     * @param calls observes the calls of listeners
     */
    public SessionExpiries(StoreSessionRepository sessions, ExpiryCalls calls) {
        this(Objects.requireNonNull(sessions, "'sessions' must not be null").sessions(), calls);
    }

    /**
     * Creates the publisher of a reactive application.
     *
     * @param sessions the sessions
     * @param calls observes the calls of listeners
     */
    public SessionExpiries(StoreReactiveSessionRepository sessions, ExpiryCalls calls) {
        this(Objects.requireNonNull(sessions, "'sessions' must not be null").sessions(), calls);
    }

    private SessionExpiries(Sessions sessions, ExpiryCalls calls) {
        this.sessions = sessions;
        this.calls = Objects.requireNonNull(calls, "'calls' must not be null");
    }

    @Override
    public synchronized void start() {
        if (!running) {
            subscription = sessions.publishExpired(SUBSCRIBER, calls);
            running = true;
        }
    }

    /** Publishes nothing more. Running listeners continue. */
    @Override
    public synchronized void stop() {
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
        running = false;
    }

    /**
     * Returns a lifecycle that waits for running listeners after {@link #stop}, while the web server shuts down gracefully.
     *
     * @return the lifecycle
     */
    public SmartLifecycle ending() {
        return calls.ending();
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }
}
