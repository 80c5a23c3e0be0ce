package dev.ttlstore.spring.lock;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.util.Assert;

import dev.ttlstore.Expiry;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.keys.TextKeys;
import dev.ttlstore.spring.scheduling.LastingTaskScheduler;
import dev.ttlstore.spring.transaction.OutsideTransaction;

/**
 * Keeps Spring Integration's locks in a store. A lock is an entry that expires when its ttl ends, by the store's
 * clock. On PostgreSQL that is the clock of the database. A holder that has lost its lock can neither renew nor unlock
 * the lock of the next holder. Locks belong to no transaction of the application. Thread-safe.
 *
 * <pre>{@code
 * StoreLockRegistry locks = new StoreLockRegistry(store, Duration.ofMinutes(1));
 * locks.executeLocked("mailbox", Duration.ofSeconds(10), () -> log.info("One instance fetches new mails"));
 * }</pre>
 *
 * <p>Threads of one instance queue in memory. The first of them watches the entry, so it gets the lock as soon as
 * another instance unlocks it or its ttl has passed. A lock is reentrant, and locking it again renews it.
 * {@link #obtain} keeps nothing: locks that nobody holds or waits for take no memory.
 *
 * <p>{@code unlock()} throws {@link IllegalMonitorStateException} if the thread does not hold the lock, and
 * {@link java.util.ConcurrentModificationException} if the lock has already expired. Locking throws
 * {@link org.springframework.dao.CannotAcquireLockException} if the store fails or the registry is closed.
 *
 * @since 0.1
 * @see StoreLockProvider
 * @see StoreLockRegistryProperties
 */
public final class StoreLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock>, DisposableBean {

    /** The group that holds the locks, by name. The value says which process holds it. */
    public static final String GROUP = "lock-registry";

    private final TextGroup group;
    private final Duration ttl;
    private final String owner = owner();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The locks that threads hold or wait for. */
    private final ConcurrentMap<String, LocalLock> locks = new ConcurrentHashMap<>();

    /** How many holds each thread has lost that it has not unlocked yet. */
    private final ThreadLocal<Map<String, Integer>> lost = ThreadLocal.withInitial(HashMap::new);

    private volatile @Nullable TaskScheduler scheduler;
    private @Nullable ThreadPoolTaskScheduler own;

    /**
     * Creates a registry.
     *
     * @param store the store or scope that holds the locks
     * @param ttl how long a lock is held at most, unless it is renewed or locked with another ttl
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     */
    public StoreLockRegistry(LiveKeyspace store, Duration ttl) {
        this.group = OutsideTransaction.of(store).group(GROUP);
        this.ttl = requireTtl(ttl);
    }

    private static Duration requireTtl(Duration ttl) {
        Object unused = Expiry.after(ttl); // knows the bounds
        return ttl;
    }

    private static String owner() {
        return ProcessHandle.current().pid() + "@" + host() + "/" + UUID.randomUUID();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) { // it only helps a reader of the value
            return "localhost";
        }
    }

    Duration ttl() {
        return ttl;
    }

    /**
     * Returns a lock.
     *
     * @param lockKey the name of the lock, a text
     * @return the lock; equal for equal names
     * @throws IllegalArgumentException if the name is not a text
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return new StoreLock(this, name(lockKey));
    }

    private static String name(@Nullable Object lockKey) {
        if (lockKey instanceof String name) {
            return name;
        }
        throw new IllegalArgumentException("'lockKey' must be a text, but is "
                + (lockKey == null ? "null" : "a " + lockKey.getClass().getName()));
    }

    boolean acquire(String name, Duration wanted, long waitNanos, boolean interruptible) throws InterruptedException {
        Duration valid = requireTtl(wanted);
        LocalLock lock = locks.compute(name, (key, present) -> (present == null ? create(name) : present).enter());
        boolean acquired = false;
        try {
            acquired = lock.acquire(valid, waitNanos, interruptible, scheduler);
            return acquired;
        } finally {
            if (!acquired) {
                int holds = lock.abandonIfLost();
                if (holds > 0) {
                    lost.get().merge(name, holds, Integer::sum);
                }
                leave(name, 1 + holds);
            }
        }
    }

    private LocalLock create(String name) {
        return new LocalLock(group, TextKeys.of(name), name, owner, closed);
    }

    private void leave(String name, int times) {
        LocalLock unused = locks.computeIfPresent(name, (key, lock) -> lock.leave(times));
    }

    void unlock(String name) {
        LocalLock lock = locks.get(name);
        if (lock == null || !lock.isHeldByCurrentThread()) {
            if (lost.get().containsKey(name)) {
                Integer unused =
                        lost.get().compute(name, (key, holds) -> holds == null || holds == 1 ? null : holds - 1);
                throw LocalLock.lost(name);
            }
            throw notHeld(name);
        }
        try {
            lock.unlock();
        } finally {
            leave(name, 1);
        }
    }

    private static IllegalMonitorStateException notHeld(String name) {
        return new IllegalMonitorStateException("The current thread does not own the lock '" + name + "'");
    }

    private LocalLock held(Object lockKey) {
        LocalLock lock = locks.get(name(lockKey));
        if (lock == null || !lock.isHeldByCurrentThread()) {
            throw notHeld(name(lockKey));
        }
        return lock;
    }

    /**
     * Renews a lock of this thread for the ttl of the registry from now on.
     *
     * @param lockKey the name of the lock
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     * @throws IllegalStateException if the lock has expired
     * @throws StoreException if the store fails
     */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, ttl);
    }

    /**
     * Renews a lock of this thread.
     *
     * @param lockKey the name of the lock
     * @param ttl how long it is held at most from now on
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     * @throws IllegalStateException if the lock has expired
     * @throws IllegalArgumentException if the ttl is zero, negative, or above 146 million years
     * @throws StoreException if the store fails
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        Duration valid = requireTtl(ttl);
        if (!held(lockKey).entry().renew(valid)) {
            throw new IllegalStateException("Could not renew the lock '" + lockKey + "', because it has expired");
        }
    }

    /**
     * Returns a number that is higher than those of all earlier holders of a lock. A service that remembers the highest one can refuse
     * the late request of a holder that has lost its lock. It stays the same until the lock is unlocked or lost.
     *
     * @param lockKey the name of the lock
     * @return the number
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     */
    public long fencingToken(Object lockKey) {
        return held(lockKey).entry().token();
    }

    /**
     * Renews each lock that a thread takes from now on, three times within its ttl. Renewing ends when the thread unlocks the lock or
     * ends.
     *
     * @param renewalTaskScheduler runs the renewals, which wait for the store
     */
    @Override
    public void setRenewalTaskScheduler(TaskScheduler renewalTaskScheduler) {
        Assert.notNull(renewalTaskScheduler, "'renewalTaskScheduler' must not be null");
        this.scheduler = renewalTaskScheduler;
    }

    /** Renews locks as {@link #setRenewalTaskScheduler} says, in a thread of this registry, which no other task can keep busy. */
    public synchronized void renewAutomatically() {
        if (own == null) {
            ThreadPoolTaskScheduler created = new LastingTaskScheduler("ttl-store-lock-renewal-");
            created.setRemoveOnCancelPolicy(true);
            created.afterPropertiesSet();
            own = created;
        }
        setRenewalTaskScheduler(own);
    }

    /** Does nothing, because locks that nobody holds or waits for are not kept. */
    @Override
    public void expireUnusedOlderThan(long age) {
        // nothing is kept
    }

    /** {@return how many locks threads of this instance hold or wait for} */
    int size() {
        return locks.size();
    }

    /**
     * Closes the registry. Threads that wait for a lock get an exception, and renewing ends. Held locks stay locked until their holders
     * unlock them or their ttl has passed, because the holders may still be at work.
     */
    @Override
    public synchronized void destroy() {
        closed.countDown();
        locks.values().forEach(lock -> lock.entry().stopRenewal());
        if (own != null) {
            own.shutdown();
        }
    }

    @Override
    public String toString() {
        return "StoreLockRegistry[ttl=" + ttl + "]";
    }
}
