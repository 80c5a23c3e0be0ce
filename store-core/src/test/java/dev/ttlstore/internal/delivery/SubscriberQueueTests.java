package dev.ttlstore.internal.delivery;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.support.NotAttemptedException;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.exception.StoreUnavailableException;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Promise(17)
class SubscriberQueueTests {

    private final FakeDeliveries stored = new FakeDeliveries();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final AtomicBoolean noThreads = new AtomicBoolean();
    private final AtomicInteger calls = new AtomicInteger();
    private final SubscriberQueue queue = new SubscriberQueue(
            "mail",
            ExpirySettings.defaults().withConcurrency(2),
            task -> {
                if (noThreads.get()) {
                    throw new RejectedExecutionException("on purpose");
                }
                tasks.add(task);
            },
            () -> {},
            stored);

    @Test
    void aValueIsReadWhenItsCallBeginsAndNotBefore() {
        queue.begin((delivery, value) -> {
            assertThat(value.value()).hasSize(1);
            assertThat(stored.valuesRead()).isEqualTo(calls.incrementAndGet());
        });
        queue.offer(deliveries(60));
        assertThat(stored.valuesRead()).isZero();
        tasks.remove().run();
        assertThat(calls).hasValue(60);
        assertThat(queue.outcomes()).hasSize(60).allMatch(outcome -> outcome.failure() == null);
    }

    @Test
    void aDeliveryThatIsGoneIsPassedOver() {
        stored.setGone();
        queue.begin((delivery, value) -> calls.incrementAndGet());
        queue.offer(deliveries(3));
        tasks.remove().run();
        assertThat(calls).hasValue(0);
        assertThat(queue.outcomes()).isEmpty();
        assertThat(queue.held()).isZero();
    }

    @Test
    void aValueThatCannotBeReadIsNoAttemptOfTheHandler() {
        stored.setUnreadable(new StoreUnavailableException("No connection", "Wait", new IOException("cut")));
        queue.begin((delivery, value) -> calls.incrementAndGet());
        queue.offer(deliveries(2));
        tasks.remove().run();
        assertThat(queue.outcomes())
                .hasSize(2)
                .allMatch(outcome -> outcome.failure() instanceof StoreUnavailableException && !outcome.attempted());
        DeliveryCounts counts = new DeliveryCounts();
        try (DeliveryPipeline pipeline = new DeliveryPipeline()) {
            RetryPolicy retries = new RetryPolicy(ExpirySettings.defaults(), () -> 0);
            new Acknowledgements(pipeline.get(), pipeline.clock(), retries).record(queue, name -> counts);
        }
        assertThat(counts.failures().sum()).isZero();
        assertThat(queue.held()).isZero();
        assertThat(calls).hasValue(0);
    }

    @Test
    void aHandlerThatHasBegunNothingHasMadeNoAttempt() {
        queue.begin((delivery, value) -> {
            throw new NotAttemptedException("busy");
        });
        queue.offer(deliveries(2));
        tasks.remove().run();
        assertThat(queue.outcomes())
                .hasSize(2)
                .allMatch(outcome -> outcome.failure() instanceof NotAttemptedException && !outcome.attempted());
    }

    @Test
    void aDamagedValueIsOneOrItWouldBeReadForEver() {
        stored.setUnreadable(StoreCorruptedException.ofValue("in the group 'group'"));
        queue.begin((delivery, value) -> calls.incrementAndGet());
        queue.offer(deliveries(2));
        tasks.remove().run();
        assertThat(queue.outcomes()).hasSize(2).allMatch(HandlerCall.Result::attempted);
    }

    @Test
    void whenNoThreadIsToBeHadCallsBeginOnceOneIs() {
        queue.begin((delivery, value) -> calls.incrementAndGet());
        noThreads.set(true);
        for (int i = 0; i < 5; i++) {
            assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> queue.offer(deliveries(3)));
        }
        noThreads.set(false);
        queue.offer(List.of());
        assertThat(tasks).hasSize(2);
        tasks.remove().run();
        assertThat(calls).hasValue(3);
    }

    @Test
    void oneThatIsToHaveNoHandlerGetsNone() {
        queue.exclude();
        assertThatIllegalStateException()
                .isThrownBy(() -> queue.begin((delivery, value) -> {}))
                .withMessageContaining("'mail' is being removed");
        assertThatIllegalStateException().isThrownBy(queue::exclude);
        queue.admit();
        queue.begin((delivery, value) -> {});
        assertThatIllegalStateException().isThrownBy(queue::exclude).withMessageContaining("close its subscription");
    }

    private static List<Delivery> deliveries(int count) {
        return LongStream.rangeClosed(1, count)
                .mapToObj(id -> new Delivery(id, "mail", new RowKey("group", "key" + id), 1, 1, 0, 1, null))
                .toList();
    }
}
