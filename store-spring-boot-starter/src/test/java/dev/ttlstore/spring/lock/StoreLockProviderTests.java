package dev.ttlstore.spring.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import dev.ttlstore.Store;
import dev.ttlstore.spring.MovableClock;

import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What ShedLock asks of each provider: the cases of its integration tests, with a clock that is set. */
class StoreLockProviderTests {

    private static final Duration MOST = Duration.ofMinutes(10);

    private final MovableClock clock = new MovableClock();
    private final Store store = Store.builder().inMemory().clock(clock).open();
    private final StoreLockProvider provider = new StoreLockProvider(store);

    @BeforeEach
    void useTheClock() {
        ClockProvider.setClock(clock);
    }

    @AfterEach
    void close() {
        ClockProvider.setClock(java.time.Clock.systemUTC());
        store.close();
    }

    private Optional<SimpleLock> lock(String name, Duration least) {
        return provider.lock(new LockConfiguration(clock.instant(), name, MOST, least));
    }

    private SimpleLock locked(String name) {
        return lock(name, Duration.ZERO).orElseThrow();
    }

    @Test
    void oneHolderAtATime() {
        SimpleLock first = locked("name");
        assertThat(lock("name", Duration.ZERO)).isEmpty();
        first.unlock();
        locked("name").unlock();
    }

    @Test
    void locksOfDifferentNamesAreIndependent() {
        SimpleLock first = locked("one");
        locked("other").unlock();
        first.unlock();
    }

    @Test
    void aLockEndsWhenItMayBeHeldNoLonger() {
        SimpleLock lost = locked("name");
        clock.advance(MOST);
        SimpleLock next = locked("name");
        lost.unlock(); // late, so it must not unlock that of the next holder
        assertThat(lock("name", Duration.ZERO)).isEmpty();
        next.unlock();
    }

    @Test
    void aLockIsHeldAtLeastForAsLongAsItMust() {
        SimpleLock first = lock("name", Duration.ofMinutes(2)).orElseThrow();
        clock.advance(Duration.ofMinutes(1));
        first.unlock();
        assertThat(lock("name", Duration.ZERO)).isEmpty();
        clock.advance(Duration.ofMinutes(1));
        locked("name").unlock();
    }

    @Test
    void aLockThatHasToBeHeldNoLongerIsFreeAtOnce() {
        SimpleLock first = lock("name", Duration.ofMinutes(2)).orElseThrow();
        clock.advance(Duration.ofMinutes(3));
        first.unlock();
        locked("name").unlock();
    }

    @Test
    void aLockIsUnlockedOnce() {
        SimpleLock first = locked("name");
        first.unlock();
        assertThatThrownBy(first::unlock).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLockCanBeExtended() {
        SimpleLock first = locked("name");
        SimpleLock longer = first.extend(Duration.ofMinutes(30), Duration.ZERO).orElseThrow();
        clock.advance(Duration.ofMinutes(29));
        assertThat(lock("name", Duration.ZERO)).isEmpty();
        longer.unlock();
        locked("name").unlock();
    }

    @Test
    void anExtendedLockEnds() {
        SimpleLock longer =
                locked("name").extend(Duration.ofMinutes(30), Duration.ZERO).orElseThrow();
        clock.advance(Duration.ofMinutes(30));
        locked("name").unlock();
        assertThat(longer.extend(MOST, Duration.ZERO)).isEmpty();
    }

    @Test
    void aLockThatWasExtendedIsHeldAtLeastForAsLongAsItMust() {
        SimpleLock longer = locked("name").extend(MOST, Duration.ofMinutes(5)).orElseThrow();
        longer.unlock();
        clock.advance(Duration.ofMinutes(4));
        assertThat(lock("name", Duration.ZERO)).isEmpty();
        clock.advance(Duration.ofMinutes(1));
        locked("name").unlock();
    }

    @Test
    void aLostLockCannotBeExtended() {
        SimpleLock lost = locked("name");
        clock.advance(MOST);
        SimpleLock next = locked("name");
        assertThat(lost.extend(MOST, Duration.ZERO)).isEmpty();
        next.unlock();
    }

    /** As ShedLock's fuzz test does. */
    @Test
    void manyHoldersNeverHoldALockTogether() throws Exception {
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger counted = new AtomicInteger();
        int[] unguarded = new int[1];
        Instant now = clock.instant();
        try (SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                running.add(executor.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        provider.lock(new LockConfiguration(now, "name", MOST, Duration.ZERO))
                                .ifPresent(lock -> {
                                    assertThat(holders.incrementAndGet()).isEqualTo(1);
                                    unguarded[0]++;
                                    counted.incrementAndGet();
                                    holders.decrementAndGet();
                                    lock.unlock();
                                });
                    }
                }));
            }
            for (Future<?> one : running) {
                Object unused = one.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(unguarded[0]).isPositive().isEqualTo(counted.get());
    }
}
