package dev.ttlstore.jcache;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import javax.cache.CacheException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Changes of one key, of which one does not end. */
@Promise(22)
class KeyLocksTests {

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger changes = new AtomicInteger();
    private final KeyLocks locks = new KeyLocks(Duration.ofMillis(1));

    @AfterEach
    void close() {
        release.countDown();
    }

    @Test
    void nobodyWaitsForEverForAChangeWhoseListenerDoesNotReturn() {
        Waiter<Boolean> stuck = Waiter.start(() -> locks.locked("held", () -> {
            begun.countDown();
            Threads.await(release);
            return true;
        }));
        Threads.await(begun);
        assertThatExceptionOfType(CacheException.class)
                .isThrownBy(() -> locks.locked("held", changes::incrementAndGet))
                .withMessageContaining("synchronous listener or writer");
        assertThatExceptionOfType(CacheException.class)
                .isThrownBy(() -> locks.lockedAll(List.of("held", "free"), changes::incrementAndGet));
        assertThat(locks.locked("free", changes::incrementAndGet)).isEqualTo(1);
        release.countDown();
        assertThat(stuck.get()).isTrue();
        assertThat(locks.locked("held", changes::incrementAndGet)).isEqualTo(2);
    }

    /** Each lock is noted without memory, even one that is taken twice. */
    @Test
    void eachLockThatIsTakenIsGivenBack() {
        locks.lockedAll(List.of("b", "a", "b"), changes::incrementAndGet);
        Waiter<Integer> other = Waiter.start(() -> locks.locked("b", changes::incrementAndGet));
        assertThat(other.get()).isEqualTo(2);
    }
}
