package dev.ttlstore.spring.autoconfigure;

import java.time.Duration;

/** Settings of what is done when entries expire. */
public final class ExpiryProperties {

    /**
     * Number of calls of one subscriber's method that run at the same time, 1 to 1,000.
     */
    private int concurrency = 8;

    /**
     * Number of times that an expiry is tried before it becomes a dead letter.
     */
    private int maxAttempts = 10;

    /**
     * Pause after the first failure, more or less. It doubles with each further one.
     */
    private Duration firstDelay = Duration.ofSeconds(1);

    /**
     * Longest pause after a failure, at least the first.
     */
    private Duration maxDelay = Duration.ofMinutes(5);

    /**
     * How long a call may take until its thread is interrupted and the attempt counts as failed.
     */
    private Duration timeout = Duration.ofMinutes(1);

    /**
     * Number of expiries that are kept, more or less, for a subscriber whose method is not there. Beyond that the oldest are
     * dropped.
     */
    private int maxBacklog = 100_000;

    /**
     * Whether listeners, watches and subscribers are told of an expiry as soon as the entry has expired, rather than by the
     * next purge.
     */
    private boolean onTime = true;

    /** Creates the settings with their defaults. */
    public ExpiryProperties() {}

    /**
     * How many calls of one subscriber run at the same time.
     *
     * @return the number
     */
    public int getConcurrency() {
        return concurrency;
    }

    /**
     * Sets how many calls of one subscriber run at the same time.
     *
     * @param concurrency the number
     */
    public void setConcurrency(int concurrency) {
        this.concurrency = concurrency;
    }

    /**
     * How often an expiry is tried before it becomes a dead letter.
     *
     * @return the number
     */
    public int getMaxAttempts() {
        return maxAttempts;
    }

    /**
     * Sets how often an expiry is tried before it becomes a dead letter.
     *
     * @param maxAttempts the number
     */
    public void setMaxAttempts(int maxAttempts) {
        this.maxAttempts = maxAttempts;
    }

    /**
     * The pause after the first failure.
     *
     * @return the pause
     */
    public Duration getFirstDelay() {
        return firstDelay;
    }

    /**
     * Sets the pause after the first failure.
     *
     * @param firstDelay the pause
     */
    public void setFirstDelay(Duration firstDelay) {
        this.firstDelay = firstDelay;
    }

    /**
     * The longest pause after a failure.
     *
     * @return the pause
     */
    public Duration getMaxDelay() {
        return maxDelay;
    }

    /**
     * Sets the longest pause after a failure.
     *
     * @param maxDelay the pause
     */
    public void setMaxDelay(Duration maxDelay) {
        this.maxDelay = maxDelay;
    }

    /**
     * How long a call may take.
     *
     * @return the time
     */
    public Duration getTimeout() {
        return timeout;
    }

    /**
     * Sets how long a call may take.
     *
     * @param timeout the time
     */
    public void setTimeout(Duration timeout) {
        this.timeout = timeout;
    }

    /**
     * How many expiries are kept for a subscriber whose method is not there.
     *
     * @return the number
     */
    public int getMaxBacklog() {
        return maxBacklog;
    }

    /**
     * Sets how many expiries are kept for a subscriber whose method is not there.
     *
     * @param maxBacklog the number
     */
    public void setMaxBacklog(int maxBacklog) {
        this.maxBacklog = maxBacklog;
    }

    /**
     * Whether expiries are told as soon as entries have expired.
     *
     * @return true if they are
     */
    public boolean isOnTime() {
        return onTime;
    }

    /**
     * Sets whether expiries are told as soon as entries have expired.
     *
     * @param onTime whether they are
     */
    public void setOnTime(boolean onTime) {
        this.onTime = onTime;
    }
}
