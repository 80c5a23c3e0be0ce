package dev.ttlstore.engine.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

/**
 * What a verification or a repair has found so far, and who follows it. It ends if its thread is interrupted, if the store closes, or
 * if the listener throws. Used by one thread.
 *
 * @since 0.1
 */
public final class Inspection {

    private static final long NANOS_PER_REPORT = 100_000_000;

    /** After how many rows the time is looked at. */
    private static final int ROWS_PER_LOOK = 256;

    private final String work;
    private final Consumer<? super VerificationProgress> listener;
    private final BooleanSupplier closed;
    private final long start = System.nanoTime();
    private final List<Finding> findings = new ArrayList<>();
    private String step = "";
    private long rows;
    private long total;
    private long lastReport = start - NANOS_PER_REPORT;
    private @Nullable Throwable failure;

    /**
     * Begins.
     *
     * @param work what is done, as the beginning of a sentence
     * @param listener receives the progress
     * @param closed whether the store is being closed
     */
    public Inspection(String work, Consumer<? super VerificationProgress> listener, BooleanSupplier closed) {
        this.work = work;
        this.listener = listener;
        this.closed = closed;
    }

    /**
     * Begins a step, and reports it.
     *
     * @param name the name of the step
     */
    public void step(String name) {
        step = name;
        lastReport = System.nanoTime() - NANOS_PER_REPORT;
        requireGoingOn();
    }

    /** Counts a row, and ends the work if it is to end. */
    public void row() {
        rows++;
        if (rows % ROWS_PER_LOOK == 0) {
            requireGoingOn();
        }
    }

    /**
     * Adds a finding.
     *
     * @param kind its kind
     * @param group the group; null if it is about none
     * @param key the key; null if it is about none
     * @param problem what is wrong
     */
    public void found(Finding.Kind kind, @Nullable String group, @Nullable String key, String problem) {
        total++;
        if (findings.size() < VerificationReport.MOST_FINDINGS) {
            findings.add(new Finding(kind, group, key, problem));
        }
    }

    /**
     * Adds a finding that is about no group.
     *
     * @param kind its kind
     * @param problem what is wrong
     */
    public void found(Finding.Kind kind, String problem) {
        found(kind, null, null, problem);
    }

    /** Ends the work if it is to end, with the reason. Otherwise reports the progress now and then. */
    public void requireGoingOn() {
        if (!goOn()) {
            throwReason();
        }
    }

    /**
     * Returns whether to go on, and reports the progress now and then. Throws nothing, for callers that cannot pass on an exception.
     *
     * @return false if the work is to end; {@link #throwReason} says why
     */
    public boolean goOn() {
        if (isOver()) {
            return false;
        }
        long now = System.nanoTime();
        if (now - lastReport >= NANOS_PER_REPORT) {
            lastReport = now;
            try {
                listener.accept(new VerificationProgress(step, rows, total, elapsed()));
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        return !isOver(); // the listener may have ended it
    }

    private boolean isOver() {
        return failure != null
                || closed.getAsBoolean()
                || Thread.currentThread().isInterrupted();
    }

    /** Throws the reason for which the work is to end, if it is. */
    public void throwReason() {
        Thrown.again(failure);
        if (closed.getAsBoolean()) {
            throw new StoreClosedException();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new StoreInterruptedException(work + " was interrupted; nothing was changed", "Start it again");
        }
    }

    /**
     * Returns how long the work has taken so far.
     *
     * @return the time
     */
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /**
     * Returns what was found.
     *
     * @return the report
     */
    public VerificationReport report() {
        return new VerificationReport(rows, findings, total, elapsed());
    }
}
