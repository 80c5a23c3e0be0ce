package dev.ttlstore.spring.lock;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.scheduling.TaskScheduler;

import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.OutcomeUnknownException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.MovableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

/** Locks in a store in memory, with a clock that is set. */
@ExtendWith(OutputCaptureExtension.class)
@SuppressWarnings("LockNotBeforeTry") // what happens to a lock that is held is what the tests are about
class StoreLockRegistryTests extends StoreLockRegistryContract {

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();
    private final StoreLockRegistry registry = new StoreLockRegistry(store, TTL);
    private final StoreLockRegistry other = new StoreLockRegistry(store, TTL);
    private final TaskScheduler scheduler = mock(TaskScheduler.class);

    @Override
    StoreLockRegistry registry() {
        return registry;
    }

    @Override
    StoreLockRegistry other() {
        return other;
    }

    @Override
    Store store() {
        return store;
    }

    @Override
    Store otherStore() {
        return store;
    }

    @AfterEach
    void close() {
        registry.destroy();
        other.destroy();
        store.close();
    }

    private Runnable renewal(Duration interval) {
        ArgumentCaptor<Runnable> task = ArgumentCaptor.forClass(Runnable.class);
        verify(scheduler, atLeastOnce()).scheduleWithFixedDelay(task.capture(), eq(interval));
        return task.getValue();
    }

    @Test
    void aLockIsHeldForItsTtlByTheClockOfTheStore() {
        Lock lock = registry.obtain("name");
        lock.lock();
        clock.advance(TTL.minusMillis(1));
        assertThat(other.obtain("name").tryLock()).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(other.obtain("name").tryLock()).isTrue();
        other.obtain("name").unlock();
    }

    @Test
    void aSchedulerRenewsTheLockUntilItIsUnlocked() {
        registry.setRenewalTaskScheduler(scheduler);
        Lock lock = registry.obtain("name");
        lock.lock();
        Runnable renewal = renewal(TTL.dividedBy(3));
        for (int i = 0; i < 5; i++) {
            clock.advance(TTL.minusMinutes(1));
            renewal.run();
        }
        assertThat(other.obtain("name").tryLock()).isFalse();
        lock.unlock();
        other.obtain("name").lock();
        clock.advance(TTL.minusMinutes(1));
        renewal.run();
        clock.advance(Duration.ofMinutes(1));
        assertThat(lock.tryLock())
                .as("what the next holder had was not renewed")
                .isTrue();
        lock.unlock();
    }

    @Test
    void aRenewalKeepsTheTtlOfTheLock() {
        registry.setRenewalTaskScheduler(scheduler);
        DistributedLock lock = registry.obtain("name");
        lock.lock(Duration.ofHours(6));
        renewal(Duration.ofHours(2)).run();
        assertThat(entries().entry("name").orElseThrow().ttl()).isEqualTo(Duration.ofHours(6));
        lock.unlock();
    }

    @Test
    void whatADeadThreadHasLockedIsNotRenewed() throws Exception {
        registry.setRenewalTaskScheduler(scheduler);
        Thread holder = new Thread(() -> registry.obtain("name").lock());
        holder.start();
        holder.join();
        Runnable renewal = renewal(TTL.dividedBy(3));
        clock.advance(TTL.minusMinutes(1));
        renewal.run();
        clock.advance(Duration.ofMinutes(1));
        assertThat(other.obtain("name").tryLock()).isTrue();
        other.obtain("name").unlock();
    }

    @Test
    void aRenewalThatComesTooLateIsLogged(CapturedOutput output) {
        registry.setRenewalTaskScheduler(scheduler);
        registry.obtain("name").lock();
        clock.advance(TTL);
        Runnable renewal = renewal(TTL.dividedBy(3));
        renewal.run();
        renewal.run();
        assertThat(output).containsOnlyOnce("The lock 'name' has expired before it was renewed");
        assertThat(other.obtain("name").tryLock()).isTrue();
        other.obtain("name").unlock();
    }

    @Test
    void aRenewalThatFailsIsLoggedAndTriedAgain(CapturedOutput output) {
        registry.setRenewalTaskScheduler(scheduler);
        registry.obtain("name").lock();
        Runnable renewal = renewal(TTL.dividedBy(3));
        store.close();
        renewal.run();
        assertThat(output).contains("The lock 'name' could not be renewed");
    }

    @Test
    void nothingIsRenewedUnlessThereIsAScheduler() {
        Lock lock = registry.obtain("name");
        lock.lock();
        registry.setRenewalTaskScheduler(scheduler);
        lock.lock();
        lock.unlock();
        lock.unlock();
        verifyNoInteractions(scheduler);
    }

    @Test
    void aStoreThatFailsIsNamedAsTheCause() {
        Lock lock = registry.obtain("name");
        lock.lock();
        store.close();
        assertThatExceptionOfType(CannotAcquireLockException.class)
                .isThrownBy(() -> registry.obtain("another").lock())
                .withMessageContaining("'another'")
                .havingCause()
                .isInstanceOf(StoreClosedException.class);
        assertThatExceptionOfType(DataAccessResourceFailureException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("'name'");
        assertThat(registry.size()).isZero();
    }

    /** A store that does what it is asked for, but fails to say so, once. */
    private LiveKeyspace doubtful(String method, AtomicReference<@Nullable String> next) {
        TextGroup group = store.group(StoreLockRegistry.GROUP);
        TextGroup doubtful = proxy(
                TextGroup.class,
                (name, result) -> {
                    if (name.equals(method) && next.compareAndSet(method, null)) {
                        throw new OutcomeUnknownException("Nobody knows", new IOException());
                    }
                    return result;
                },
                group);
        return proxy(LiveKeyspace.class, (name, result) -> name.equals("group") ? doubtful : result, store);
    }

    private interface Answer {
        @Nullable
        Object change(String method, @Nullable Object result);
    }

    private static <T> T proxy(Class<T> type, Answer answer, Object target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (method.getName().equals("outsideTransaction")) {
                return proxy;
            }
            try {
                return answer.change(method.getName(), method.invoke(target, args));
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"putIfAbsent", "replace", "delete"})
    void anUnknownOutcomeIsFoundOut(String method) {
        AtomicReference<@Nullable String> next = new AtomicReference<>(method);
        StoreLockRegistry doubting = new StoreLockRegistry(doubtful(method, next), TTL);
        DistributedLock lock = doubting.obtain("name");
        lock.lock();
        lock.lock();
        assertThat(doubting.fencingToken("name")).isPositive();
        assertThat(other.obtain("name").tryLock()).isFalse();
        lock.unlock();
        lock.unlock();
        assertThat(next).hasValue(null);
        assertThat(entries().count()).isZero();
    }

    @Test
    void whatAFailedAttemptHasPutDoesNotStay() {
        AtomicReference<@Nullable String> next = new AtomicReference<>("putIfAbsent");
        LiveKeyspace doubtful = doubtful("putIfAbsent", next);
        TextGroup group = store.group(StoreLockRegistry.GROUP);
        StoreLockRegistry registryOfFailing = new StoreLockRegistry(
                proxy(
                        LiveKeyspace.class,
                        (name, result) -> name.equals("group")
                                ? proxy(
                                        TextGroup.class,
                                        (method, answer) -> {
                                            if (method.equals("entry")) {
                                                throw new StoreException("Fails", "Wait", null);
                                            }
                                            return answer;
                                        },
                                        doubtful.group(StoreLockRegistry.GROUP))
                                : result,
                        store),
                TTL);
        assertThatExceptionOfType(CannotAcquireLockException.class)
                .isThrownBy(() -> registryOfFailing.obtain("name").lock());
        assertThat(next).hasValue(null);
        assertThat(group.count()).isZero();
    }

    @Test
    void aRenewalIsNoReasonToStopWaiting() throws Exception {
        registry.obtain("name").lock();
        try (LockWatch watch = new LockWatch(entries(), "name", new CountDownLatch(1));
                LockThread waiter = new LockThread()) {
            watch.openOrAwait(Duration.ofHours(1));
            CompletableFuture<Boolean> waiting = waiter.begin(() -> {
                watch.openOrAwait(Duration.ofHours(1));
                return entries().contains("name");
            });
            waiter.awaitWaiting();
            registry.renewLock("name");
            registry.obtain("name").unlock();
            assertThat(waiting.get(60, TimeUnit.SECONDS)).isFalse();
        }
    }

    @Test
    void aWaitingInstanceLooksByItselfIfThereAreNoEvents() throws Exception {
        store.closeWatches(); // as an application does that stops
        Lock lock = registry.obtain("name");
        Lock others = other.obtain("name");
        lock.lock();
        try (LockThread waiter = new LockThread()) {
            CompletableFuture<Boolean> waiting = waiter.begin(() -> others.tryLock(60, TimeUnit.SECONDS));
            await().until(() -> other.size() == 1);
            waiter.awaitWaiting();
            lock.unlock();
            assertThat(waiting.get(60, TimeUnit.SECONDS)).isTrue();
            waiter.run(others::unlock);
            lock.lock();
            waiting = waiter.begin(() -> others.tryLock(1_000, TimeUnit.SECONDS));
            await().until(() -> other.size() == 1);
            other.destroy();
            assertThat(waiting).failsWithin(Duration.ofSeconds(60));
        }
        lock.unlock();
    }

    @Test
    void theValueSaysWhichProcessHoldsTheLock() {
        Lock lock = registry.obtain("name");
        lock.lock();
        assertThat(entries().get("name").orElseThrow())
                .startsWith(ProcessHandle.current().pid() + "@");
        lock.unlock();
        assertThat(List.of(registry.toString(), lock.toString()))
                .containsExactly("StoreLockRegistry[ttl=PT10M]", "StoreLock[name]");
        verifyNoInteractions(scheduler);
    }
}
