package dev.ttlstore.spring.lock;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** What Spring Integration's own tests ask of the registries for JDBC and Redis, and more; on each engine. */
@SuppressWarnings("LockNotBeforeTry") // what happens to a lock that is held is what the tests are about
abstract class StoreLockRegistryContract {

    static final Duration TTL = Duration.ofMinutes(10);

    private final LockThread one = new LockThread();
    private final LockThread second = new LockThread();
    private final LockThread third = new LockThread();

    /** Returns the registry of this instance, whose locks are held for {@link #TTL}. */
    abstract StoreLockRegistry registry();

    /** Returns the registry of another instance. */
    abstract StoreLockRegistry other();

    /** Returns the store of this instance. */
    abstract Store store();

    /** Returns the store of the other instance. */
    abstract Store otherStore();

    @AfterEach
    void endThreads() {
        one.close();
        second.close();
        third.close();
    }

    final TextGroup entries() {
        return store().group(StoreLockRegistry.GROUP);
    }

    private Entry<String> entry(String name) {
        return entries().entry(name).orElseThrow();
    }

    private boolean isFree(String name) throws Exception {
        return third.call(() -> {
            Lock lock = other().obtain(name);
            boolean locked = lock.tryLock();
            if (locked) {
                lock.unlock();
            }
            return locked;
        });
    }

    private void assertNothingIsKept() {
        assertThat(registry().size()).isZero();
        assertThat(other().size()).isZero();
    }

    @Test
    void aLockIsLockedAndUnlockedAgainAndAgain() throws Exception {
        Lock lock = registry().obtain("name");
        for (int i = 0; i < 5; i++) {
            lock.lock();
            assertThat(registry().size()).isEqualTo(1);
            assertThat(isFree("name")).isFalse();
            lock.unlock();
            lock.lockInterruptibly();
            assertThat(isFree("name")).isFalse();
            lock.unlock();
        }
        assertThat(entries().count()).isZero();
        assertNothingIsKept();
    }

    @Test
    void aLockIsReentrant() throws Exception {
        Lock lock = registry().obtain("name");
        Lock same = registry().obtain("name");
        assertThat(same).isEqualTo(lock).hasSameHashCodeAs(lock);
        assertThat(other().obtain("name")).isNotEqualTo(lock);
        lock.lock();
        same.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(same.tryLock(1, SECONDS)).isTrue();
        for (int i = 0; i < 3; i++) {
            lock.unlock();
            assertThat(isFree("name")).isFalse();
        }
        lock.unlock();
        assertThat(isFree("name")).isTrue();
        assertNothingIsKept();
    }

    @Test
    void locksOfDifferentNamesAreIndependent() throws Exception {
        Lock lock = registry().obtain("one");
        lock.lock();
        assertThat(isFree("other")).isTrue();
        lock.unlock();
    }

    @Test
    void anotherThreadDoesNotGetTheLock() throws Exception {
        Lock lock = registry().obtain("name");
        lock.lock();
        assertThat(one.call(() -> lock.tryLock())).isFalse();
        assertThat(one.call(() -> lock.tryLock(50, TimeUnit.MILLISECONDS))).isFalse();
        assertThat(one.call(() -> lock.tryLock(-1, SECONDS))).isFalse();
        assertThatThrownBy(() -> one.run(lock::unlock)).hasCauseInstanceOf(IllegalMonitorStateException.class);
        assertThat(isFree("name")).isFalse();
        lock.unlock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        assertNothingIsKept();
    }

    @Test
    void aThreadOfTheSameInstanceWaits() throws Exception {
        Lock lock = registry().obtain("name");
        lock.lock();
        CompletableFuture<Boolean> waiting = one.begin(() -> lock.tryLock(60, SECONDS));
        one.awaitWaiting();
        lock.unlock();
        assertThat(waiting.get(60, SECONDS)).isTrue();
        assertThat(isFree("name")).isFalse();
        one.run(lock::unlock);
        assertNothingIsKept();
    }

    @Test
    void anotherInstanceWaits() throws Exception {
        Lock lock = registry().obtain("name");
        Lock others = other().obtain("name");
        lock.lock();
        assertThat(one.call(() -> others.tryLock(50, TimeUnit.MILLISECONDS))).isFalse();
        CompletableFuture<Boolean> waiting = one.begin(() -> {
            others.lock();
            return true;
        });
        await().until(() -> other().size() == 1);
        one.awaitWaiting();
        assertThat(waiting).isNotDone();
        lock.unlock();
        assertThat(waiting.get(60, SECONDS)).isTrue();
        assertThat(lock.tryLock()).isFalse();
        one.run(others::unlock);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertNothingIsKept();
    }

    @Test
    void aLockThatHasExpiredBelongsToTheNextHolder() throws Exception {
        Lock lock = registry().obtain("name");
        Lock others = other().obtain("name");
        lock.lock();
        entries().expireNow("name");
        one.run(others::lock);
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("'name'");
        assertThat(lock.tryLock()).as("of the next holder").isFalse();
        one.run(others::unlock);
        assertNothingIsKept();
    }

    @Test
    void aLockThatHasExpiredIsNotUnlockedInSilence() {
        Lock lock = registry().obtain("name");
        lock.lock();
        entries().expireNow("name");
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        assertNothingIsKept();
    }

    @Test
    void aLockThatHasExpiredCanBeLockedAgainByItsHolder() throws Exception {
        Lock lock = registry().obtain("name");
        lock.lock();
        entries().expireNow("name");
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        assertThat(isFree("name")).isFalse();
        lock.unlock();
        assertThat(isFree("name")).isTrue();
    }

    @Test
    void whoFindsThatItsLockIsLostLeavesTheQueueToOtherThreads() throws Exception {
        Lock lock = registry().obtain("name");
        Lock others = other().obtain("name");
        lock.lock();
        lock.lock();
        entries().expireNow("name");
        one.run(others::lock);
        assertThat(lock.tryLock()).isFalse();
        CompletableFuture<Boolean> waiting = second.begin(() -> lock.tryLock(60, SECONDS));
        one.run(others::unlock);
        assertThat(waiting.get(60, SECONDS)).isTrue();
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        assertThat(isFree("name")).isFalse();
        second.run(lock::unlock);
        assertNothingIsKept();
    }

    @Test
    void aLockIsHeldForTheTtlOfTheRegistryOrItsOwn() throws Exception {
        DistributedLock lock = registry().obtain("name");
        lock.lock();
        assertThat(entry("name").ttl()).isBetween(TTL.minusMinutes(2), TTL);
        lock.lock(Duration.ofHours(5));
        assertThat(entry("name").ttl()).isBetween(Duration.ofHours(4), Duration.ofHours(5));
        lock.lock(Duration.ofMinutes(1));
        assertThat(entry("name").ttl()).as("not shortened").isGreaterThan(Duration.ofHours(4));
        lock.unlock();
        lock.unlock();
        lock.unlock();
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofHours(2))).isTrue();
        assertThat(entry("name").ttl()).isBetween(Duration.ofHours(1), Duration.ofHours(2));
        lock.unlock();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.lock(Duration.ZERO))
                .withMessageContaining("'ttl'");
        assertThatIllegalArgumentException().isThrownBy(() -> new StoreLockRegistry(store(), Duration.ofSeconds(-1)));
        assertNothingIsKept();
    }

    @Test
    void aHolderCanRenewItsLock() throws Exception {
        DistributedLock lock = registry().obtain("name");
        lock.lock(Duration.ofMinutes(1));
        registry().renewLock("name");
        assertThat(entry("name").ttl()).isGreaterThan(Duration.ofMinutes(5));
        registry().renewLock("name", Duration.ofHours(2));
        assertThat(entry("name").ttl()).isGreaterThan(Duration.ofHours(1));
        assertThatThrownBy(() -> one.run(() -> registry().renewLock("name")))
                .hasCauseInstanceOf(IllegalMonitorStateException.class);
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> other().renewLock("name"));
        lock.unlock();
        assertThat(isFree("name")).isTrue();
    }

    @Test
    void aLostLockIsNotRenewed() throws Exception {
        Lock lock = registry().obtain("name");
        DistributedLock others = other().obtain("name");
        lock.lock();
        entries().expireNow("name");
        assertThatIllegalStateException().isThrownBy(() -> registry().renewLock("name"));
        one.run(() -> others.lock(Duration.ofMinutes(1)));
        assertThatIllegalStateException().isThrownBy(() -> registry().renewLock("name", Duration.ofHours(1)));
        assertThat(entry("name").ttl()).isLessThanOrEqualTo(Duration.ofMinutes(1));
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
        one.run(others::unlock);
    }

    @Test
    void anInterruptEndsTheWaitForAnotherInstanceAndLeavesNothingLocked() throws Exception {
        Lock lock = registry().obtain("name");
        Lock others = other().obtain("name");
        lock.lock();
        CompletableFuture<Boolean> waiting = one.begin(() -> {
            others.lockInterruptibly();
            return true;
        });
        CompletableFuture<Boolean> queued = second.begin(() -> others.tryLock(1_000, SECONDS));
        await().until(() -> other().size() == 1);
        one.awaitWaiting();
        second.awaitWaiting();
        one.interrupt();
        assertThatThrownBy(() -> waiting.get(60, SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        second.interrupt();
        assertThatThrownBy(() -> queued.get(60, SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        lock.unlock();
        assertThat(entries().count()).isZero();
        assertNothingIsKept();
    }

    @Test
    void anInterruptDoesNotEndAWaitThatIsNotInterruptible() throws Exception {
        Lock lock = registry().obtain("name");
        Lock others = other().obtain("name");
        lock.lock();
        CompletableFuture<Boolean> waiting = one.begin(() -> {
            others.lock();
            return Thread.currentThread().isInterrupted();
        });
        await().until(() -> other().size() == 1);
        one.awaitWaiting();
        one.interrupt();
        lock.unlock();
        assertThat(waiting.get(60, SECONDS)).as("still interrupted").isTrue();
        assertThat(isFree("name")).isFalse();
        one.run(others::unlock);
    }

    @Test
    void anInterruptedThreadCanLockAndUnlock() throws Exception {
        Lock lock = registry().obtain("name");
        assertThat(one.call(() -> {
                    Thread.currentThread().interrupt();
                    boolean locked = lock.tryLock();
                    lock.lock();
                    lock.unlock();
                    lock.unlock();
                    return locked && Thread.currentThread().isInterrupted();
                }))
                .isTrue();
        assertThatThrownBy(() -> one.call(() -> {
                    Thread.currentThread().interrupt();
                    return lock.tryLock(0, SECONDS);
                }))
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(isFree("name")).isTrue();
        assertNothingIsKept();
    }

    @Test
    void locksThatNobodyUsesAreNotKept() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(registry().obtain("name" + i)).isNotNull();
        }
        Lock lock = registry().obtain("name");
        lock.lock();
        registry().expireUnusedOlderThan(-1_000);
        assertThat(registry().size()).isEqualTo(1);
        lock.unlock();
        assertNothingIsKept();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1_024, 1_025, 5_000})
    void aNameMayHaveAnyLength(int length) {
        Lock lock = registry().obtain("ä".repeat(length));
        Lock longer = registry().obtain("ä".repeat(length + 1));
        lock.lock();
        assertThat(other().obtain("ä".repeat(length)).tryLock()).isFalse();
        longer.lock();
        longer.unlock();
        lock.unlock();
        assertThat(entries().count()).isZero();
    }

    @Test
    void aNameIsAText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry().obtain(1))
                .withMessageContaining("'lockKey'");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> registry().obtain("name").newCondition());
    }

    @Test
    void aFencingTokenIsHigherThanThatOfTheHolderBefore() throws Exception {
        long last = 0;
        for (int i = 0; i < 5; i++) {
            for (StoreLockRegistry registry : new StoreLockRegistry[] {registry(), other()}) {
                Lock lock = registry.obtain("name");
                lock.lock();
                long token = registry.fencingToken("name");
                assertThat(token).isGreaterThan(last);
                registry.renewLock("name");
                lock.lock();
                assertThat(registry.fencingToken("name")).isEqualTo(token);
                lock.unlock();
                lock.unlock();
                last = token;
            }
        }
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> registry().fencingToken("name"));
    }

    @Test
    void tasksRunWhileTheLockIsLocked() throws Exception {
        assertThat(registry().executeLocked("name", () -> isFree("name"))).isFalse();
        assertThat(isFree("name")).isTrue();
    }

    @Test
    void closingEndsTheWaitsAndLeavesLocksToTheirHolders() throws Exception {
        Lock lock = registry().obtain("name");
        Lock others = other().obtain("name");
        Lock free = other().obtain("free");
        lock.lock();
        second.run(free::lock);
        CompletableFuture<Boolean> waiting = one.begin(() -> others.tryLock(1_000, SECONDS));
        await().until(() -> other().size() == 2);
        one.awaitWaiting();
        other().destroy();
        assertThatThrownBy(() -> waiting.get(60, SECONDS)).hasCauseInstanceOf(CannotAcquireLockException.class);
        assertThat(registry().obtain("free").tryLock()).isFalse();
        second.run(free::unlock);
        assertThat(registry().obtain("free").tryLock()).isTrue();
        registry().obtain("free").unlock();
        lock.unlock();
        assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(others::lock);
        assertNothingIsKept();
    }

    private void open(LockWatch watch) throws Exception {
        assertThat(one.<Boolean>call(() -> {
                    watch.openOrAwait(Duration.ZERO);
                    return watch.isOpen();
                }))
                .isTrue();
    }

    /** Waits for an event, because an hour is the fallback here. An event of an earlier change may come first. */
    private static void awaitEnd(LockWatch watch, TextGroup entries) throws InterruptedException {
        do {
            watch.openOrAwait(Duration.ofHours(1));
        } while (entries.contains("name"));
    }

    @Test
    void aWaitingInstanceHearsOfAnUnlockAndOfAnExpiry() throws Exception {
        DistributedLock lock = registry().obtain("name");
        TextGroup others = otherStore().group(StoreLockRegistry.GROUP);
        for (boolean expires : new boolean[] {false, true}) {
            lock.lock();
            try (LockWatch watch = new LockWatch(others, "name", new CountDownLatch(1))) {
                open(watch);
                CompletableFuture<Boolean> waiting = one.begin(() -> {
                    awaitEnd(watch, others);
                    return true;
                });
                one.awaitWaiting();
                registry().renewLock("name");
                if (expires) {
                    assertThat(entries().expireNow("name")).isTrue();
                } else {
                    lock.unlock();
                }
                assertThat(waiting.get(60, SECONDS)).isTrue();
            }
        }
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
    }
}
