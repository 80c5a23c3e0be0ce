package dev.ttlstore.internal.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.SteadyClock;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What a node has in hand stays its own, and what it has done with is free for others at once. */
@Promise(17)
class LeasesTests {

    private static final long LEASE = 30_000;
    private static final long THIRD = TimeUnit.MILLISECONDS.toNanos(LEASE) / 3;

    private final MovableClock clock = new MovableClock();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // it may overflow at any time
    private final FakeDeliveries claims = new FakeDeliveries();
    private final Leases leases = new Leases(claims, LEASE, new SteadyClock(clock, 0), nanos::get);
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final SubscriberQueue queue =
            new SubscriberQueue("mail", ExpirySettings.defaults(), tasks::add, () -> {}, claims);

    @Test
    void aClaimLastsAsLongAsALease() {
        begin();
        assertThat(leases.claim(queue, clock.millis(), 10)).isEmpty();
        assertThat(claims.until()).isEqualTo(clock.millis() + LEASE);
    }

    @Test
    void whatIsInHandIsRenewedBeforeAThirdOfItsLeaseHasPassed() {
        begin();
        take();
        long wait = leases.renew(queue);
        assertThat(wait).isPositive().isLessThan(THIRD);
        assertThat(claims.renewals()).isZero();
        for (int i = 1; i < 10; i++) {
            letPass(wait - 1);
            assertThat(leases.renew(queue)).isEqualTo(1);
            letPass(1);
            assertThat(leases.renew(queue)).isEqualTo(wait);
            assertThat(claims.renewals()).isEqualTo(i);
            assertThat(claims.until()).isEqualTo(clock.millis() + LEASE);
        }
    }

    @Test
    void aFurtherClaimDoesNotPutOffTheRenewalOfWhatIsInHand() {
        begin();
        take();
        long wait = leases.renew(queue);
        letPass(wait);
        assertThat(leases.claim(queue, clock.millis(), 1)).isEmpty();
        assertThat(leases.renew(queue)).isEqualTo(wait);
        assertThat(claims.renewals()).isEqualTo(1);
    }

    @Test
    void nothingIsRenewedWhileNothingIsInHand() {
        begin();
        assertThat(leases.renew(queue)).isEqualTo(Leases.FOR_EVER);
        take();
        finish();
        letPass(THIRD);
        assertThat(leases.renew(queue)).isEqualTo(Leases.FOR_EVER);
        assertThat(claims.renewals()).isZero();
        take();
        assertThat(leases.renew(queue)).isPositive(); // the old lease does not count
        assertThat(claims.renewals()).isZero();
    }

    @Test
    void claimsAreReleasedOnceWhenTheHandlerHasEnded() {
        begin();
        assertThat(leases.releaseEnded(queue)).isFalse();
        end();
        assertThat(leases.isHeld("mail")).isTrue();
        assertThat(leases.releaseEnded(queue)).isTrue();
        assertThat(leases.releaseEnded(queue)).isFalse();
        assertThat(claims.releases()).isEqualTo(1);
        assertThat(leases.isHeld("mail")).isFalse();
    }

    @Test
    void theHandlerWasSeenWhenItEndedAndNotWhenItsClaimsWereReleased() {
        begin();
        long ended = clock.millis();
        end();
        clock.advance(Duration.ofHours(1));
        assertThat(leases.releaseEnded(queue)).isTrue();
        assertThat(claims.lastSeen("mail")).isEqualTo(ended);
    }

    @Test
    void claimsAreNotReleasedBeforeTheLastCallIsOver() {
        begin((delivery, value) -> {
            end();
            assertThat(leases.releaseEnded(queue)).isFalse();
        });
        take();
        tasks.remove().run();
        assertThat(queue.outcomes()).singleElement().matches(outcome -> outcome.failure() == null);
        assertThat(leases.releaseEnded(queue)).isFalse(); // its outcome is not recorded yet
        queue.noted(queue.outcomes());
        assertThat(leases.releaseEnded(queue)).isTrue();
    }

    @Test
    void aHandlerThatBeginsBeforeTheReleaseKeepsTheClaims() {
        begin();
        end();
        begin();
        assertThat(leases.releaseEnded(queue)).isFalse();
        assertThat(claims.releases()).isZero();
        end();
        assertThat(leases.releaseEnded(queue)).isTrue();
    }

    @Test
    void aReleaseThatFailsIsMadeLater() {
        FakeDeliveries failing = new FakeDeliveries() {
            private boolean failed;

            @Override
            public void renew(String subscriber, long now, long until) {
                if (!failed) {
                    failed = true;
                    throw new IllegalStateException("on purpose");
                }
                super.renew(subscriber, now, until);
            }
        };
        Leases some = new Leases(failing, LEASE, new SteadyClock(clock, 0), nanos::get);
        some.handlerBegun("mail");
        assertThatIllegalStateException().isThrownBy(() -> some.releaseEnded(queue));
        assertThat(some.isHeld("mail")).isTrue();
        assertThat(some.releaseEnded(queue)).isTrue();
        assertThat(failing.releases()).isEqualTo(1);
    }

    private void begin() {
        begin((delivery, value) -> {});
    }

    private void begin(Handler handler) {
        queue.begin(handler);
        leases.handlerBegun("mail");
    }

    private void end() {
        leases.handlerEnds("mail");
        queue.end();
    }

    private void take() {
        assertThat(leases.claim(queue, clock.millis(), 10)).isEmpty();
        queue.offer(List.of(new Delivery(1, "mail", new RowKey("group", "key"), 1, 1, 0, 1, null)));
    }

    private void finish() {
        tasks.remove().run();
        queue.noted(queue.outcomes());
    }

    private void letPass(long passed) {
        nanos.addAndGet(passed);
        clock.advance(Duration.ofNanos(passed));
    }
}
