package dev.ttlstore.spring.lock;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * A lock of a registry, which has its state. Locks of one registry with the same name are equal, and are one lock. Thread-safe.
 *
 * @param registry the registry
 * @param name the name of the lock
 */
record StoreLock(StoreLockRegistry registry, String name) implements DistributedLock {

    @Override
    public void lock() {
        lock(registry.ttl());
    }

    @Override
    public void lock(Duration ttl) {
        try {
            boolean unused = registry.acquire(name, ttl, LocalLock.FOREVER, false);
        } catch (InterruptedException e) {
            throw new IllegalStateException("No interrupt ends this wait", e);
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean unused = registry.acquire(name, registry.ttl(), LocalLock.FOREVER, true);
    }

    @Override
    public boolean tryLock() {
        try {
            return registry.acquire(name, registry.ttl(), 0, false);
        } catch (InterruptedException e) {
            throw new IllegalStateException("There is no wait that an interrupt could end", e);
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return registry.acquire(name, registry.ttl(), unit.toNanos(time), true);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        Objects.requireNonNull(waitTime, "'waitTime' must not be null");
        return registry.acquire(name, ttl, TimeUnit.NANOSECONDS.convert(waitTime), true);
    }

    @Override
    public void unlock() {
        registry.unlock(name);
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lock in a store has no conditions");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoreLock that && registry == that.registry && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return "StoreLock[" + name + "]";
    }
}
