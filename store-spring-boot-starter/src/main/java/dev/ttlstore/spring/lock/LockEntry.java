package dev.ttlstore.spring.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.TaskScheduler;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.TextGroup;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreException;

/**
 * The entry of a lock in the store. Its value says which registry holds the lock, and within a registry one thread at a time uses
 * the entry. So each operation can be repeated if nobody knows whether the store has done it. Thread-safe, because the renewal runs
 * in a thread of its own.
 */
final class LockEntry {

    private static final Logger log = LoggerFactory.getLogger(LockEntry.class);

    /** How often the lock is renewed while its ttl passes once. */
    private static final int RENEWALS = 3;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    private final TextGroup group;
    private final String key;
    private final String name;
    private final String owner;
    private final RetryLog retries;

    /** Guards what follows, and lets one operation at a time go to the store. */
    private final ReentrantLock turn = new ReentrantLock();

    private boolean held;
    private long token;
    private Duration ttl = Duration.ZERO;
    private @Nullable ScheduledFuture<?> renewal;

    /**
     * Creates the entry, which is not put yet.
     *
     * @param group the group of the locks, outside the application's transaction
     * @param key the key in the store
     * @param name what the application calls the lock
     * @param owner what no other registry is called
     */
    LockEntry(TextGroup group, String key, String name, String owner) {
        this.group = group;
        this.key = key;
        this.name = name;
        this.owner = owner;
        this.retries = new RetryLog(
                log, "The lock '" + name + "' could not be renewed. It is tried again before the lock expires");
    }

    /**
     * Tries to take the lock, or to renew it if it is held. A renewal never shortens the time for which it is held.
     *
     * @param wanted how long the lock is held at most
     * @param contended whether to look first, because another registry probably holds it
     * @param scheduler renews the lock from time to time; null to renew it only on request
     * @return empty if the lock is held now; otherwise how long the other one may hold it, zero if it has just ended
     */
    Optional<Duration> take(Duration wanted, boolean contended, @Nullable TaskScheduler scheduler) {
        return inTurn(() -> {
            if (held && replace(Expiry.after(wanted).ifLater()).isPresent()) {
                ttl = wanted.compareTo(ttl) > 0 ? wanted : ttl;
                return Optional.empty();
            }
            drop();
            Optional<Duration> others = contended ? others() : Optional.empty();
            if (others.isPresent()) {
                return others;
            }
            OptionalLong taken = putIfAbsent(wanted);
            if (taken.isEmpty()) {
                others = others();
                if (others.isPresent()) {
                    return others;
                }
                // What an earlier attempt has left that failed. Otherwise the lock has ended in the meantime.
                taken = replace(Expiry.after(wanted));
                if (taken.isEmpty()) {
                    return Optional.of(Duration.ZERO);
                }
            }
            hold(taken.getAsLong(), wanted, scheduler);
            return Optional.empty();
        });
    }

    /** Returns how long another registry may still hold the lock; empty if none does. */
    private Optional<Duration> others() {
        return group.entry(key).filter(entry -> !entry.value().equals(owner)).map(LockEntry::left);
    }

    private static Duration left(Entry<String> entry) {
        return entry.ttl() == null ? Duration.ofMillis(Long.MAX_VALUE) : entry.ttl();
    }

    private OptionalLong putIfAbsent(Duration wanted) {
        try {
            return group.putIfAbsent(key, owner, wanted);
        } catch (OutcomeUnknownException e) {
            return OptionalLong.empty(); // the caller looks whether it was put
        }
    }

    private OptionalLong replace(Expiry expiry) {
        try {
            return group.replace(key, owner, owner, expiry);
        } catch (OutcomeUnknownException e) {
            return group.replace(key, owner, owner, expiry);
        }
    }

    private void hold(long version, Duration wanted, @Nullable TaskScheduler scheduler) {
        held = true;
        token = version;
        ttl = wanted;
        if (scheduler != null) {
            Thread holder = Thread.currentThread();
            renewal = scheduler.scheduleWithFixedDelay(() -> renewFor(holder), interval(wanted));
        }
    }

    private static Duration interval(Duration ttl) {
        Duration interval = ttl.dividedBy(RENEWALS);
        if (interval.compareTo(SHORTEST) < 0) {
            return SHORTEST;
        }
        return interval.compareTo(LONGEST) > 0 ? LONGEST : interval;
    }

    /** Renews the lock while the thread that has taken it lives. */
    private void renewFor(Thread holder) {
        try {
            boolean lost = inTurn(() -> {
                if (!held || !holder.isAlive()) {
                    stopRenewal();
                    return false;
                }
                if (replace(Expiry.after(ttl).ifLater()).isPresent()) {
                    return false;
                }
                drop();
                return true;
            });
            retries.succeeded("The lock '" + name + "' can be renewed again");
            if (lost) {
                log.warn("The lock '{}' has expired before it was renewed. Its holder no longer has it", name);
            }
        } catch (RuntimeException | Error e) { // some schedulers never run a task again after an error
            retries.failed(e);
        }
    }

    /**
     * Sets the time for which the lock is held from now on.
     *
     * @return whether it was still held
     */
    boolean renew(Duration wanted) {
        return inTurn(() -> {
            held &= replace(Expiry.after(wanted)).isPresent();
            return held;
        });
    }

    /**
     * Frees the lock.
     *
     * @return whether it was still held, as far as anybody knows
     */
    boolean end() {
        return inTurn(() -> {
            drop();
            try {
                return group.delete(key, owner);
            } catch (OutcomeUnknownException e) {
                boolean unused = group.delete(key, owner);
                return true;
            }
        });
    }

    /** Removes what an attempt may have left that has failed, unless the lock is held. */
    void clean() {
        try {
            boolean unused = inTurn(() -> !held && group.delete(key, owner));
        } catch (StoreException e) {
            log.debug("The lock '{}' may have been taken for nobody; if so, its ttl ends it", name, e);
        }
    }

    boolean isHeld() {
        return inTurn(() -> held);
    }

    /** Returns the version of the put that has taken the lock. */
    long token() {
        return inTurn(() -> token);
    }

    private void drop() {
        held = false;
        stopRenewal();
    }

    /** Renews the lock no more. */
    void stopRenewal() {
        turn.lock();
        try {
            if (renewal != null) {
                boolean unused = renewal.cancel(false);
                renewal = null;
            }
        } finally {
            turn.unlock();
        }
    }

    /** Runs work. An interrupt that was there before must not end it. */
    private <R> R inTurn(Supplier<R> work) {
        boolean interrupted = Thread.interrupted();
        turn.lock();
        try {
            return work.get();
        } finally {
            turn.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
