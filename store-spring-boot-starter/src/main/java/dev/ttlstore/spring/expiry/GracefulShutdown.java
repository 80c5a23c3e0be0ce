package dev.ttlstore.spring.expiry;

import org.springframework.context.SmartLifecycle;

/** Waits for running calls when the application stops. */
final class GracefulShutdown implements SmartLifecycle {

    private final RunningCalls calls;
    private volatile boolean running;

    GracefulShutdown(RunningCalls calls) {
        this.calls = calls;
    }

    /**
     * The phase of Boot's WebServerGracefulShutdownLifecycle, which is not on the class path of every application.
     */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1_024;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public void stop(Runnable callback) {
        stop();
        calls.whenNone(callback);
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
