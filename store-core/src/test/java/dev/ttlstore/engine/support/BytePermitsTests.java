package dev.ttlstore.engine.support;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Waiter;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What room there is, in bytes. */
@Promise(24)
class BytePermitsTests {

    private final BytePermits room = new BytePermits(10);

    @Test
    void itIsTakenUntilThereIsNoneAndAgainOnceItWasGivenBack() {
        assertThat(room.tryTake(6)).isTrue();
        assertThat(room.isThere(5)).isFalse();
        assertThat(room.tryTake(5)).isFalse();
        assertThat(room.tryTake(4)).isTrue();
        assertThat(room.isLeft()).isFalse();
        room.giveBack(6);
        assertThat(room.isThere(6)).isTrue();
    }

    @Test
    void whatIsLargerThanAllOfItPassesAlone() {
        assertThat(room.tryTake(1_000)).isTrue();
        assertThat(room.tryTake(1)).isFalse();
        room.giveBack(1_000);
        assertThat(room.tryTake(1)).isTrue();
        assertThat(room.tryTake(1_000)).isFalse();
    }

    @Test
    void whatIsTakenAnywayIsMissingUntilItIsGivenBack() {
        room.takeAnyway(9);
        room.takeAnyway(9);
        assertThat(room.isLeft()).isFalse();
        room.giveBack(9);
        assertThat(room.isThere(1)).isTrue();
        assertThat(room.isThere(2)).isFalse();
    }

    @Test
    void whoWaitsForMuchIsNotOvertakenByThoseWhoWantLittle() {
        assertThat(room.tryTake(2)).isTrue();
        Waiter<Boolean> waiting = Waiter.start(() -> room.take(10, TimeUnit.SECONDS.toNanos(30)));
        assertThat(room.tryTake(1)).isFalse();
        room.giveBack(2);
        assertThat(waiting.get()).isTrue();
        assertThat(room.isLeft()).isFalse();
    }
}
