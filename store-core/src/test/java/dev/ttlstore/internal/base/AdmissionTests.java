package dev.ttlstore.internal.base;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.contract.Waiter;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Who may add asynchronous work, and who waits. */
@Promise(24)
class AdmissionTests {

    private final Admission admission = new Admission("writes", 10, Duration.ofSeconds(30));

    @Test
    void aCallerWaitsUntilThereIsRoom() {
        Runnable first = admission.enter(6, true);
        Waiter<Runnable> waiting = Waiter.start(() -> admission.enter(6, true));
        assertThat(waiting.isDone()).isFalse();
        first.run();
        waiting.get().run();
    }

    @Test
    void aCallerThatIsInterruptedWaitsAllTheSame() {
        Runnable first = admission.enter(6, true);
        Waiter<Boolean> waiting = Waiter.start(() -> {
            admission.enter(6, true).run();
            return Thread.currentThread().isInterrupted();
        });
        waiting.interrupt();
        first.run();
        assertThat(waiting.get()).isTrue();
    }

    @Test
    void aCallerForWhichThereIsNoRoomInTimeLearnsWhy() {
        Admission impatient = new Admission("writes", 10, Duration.ZERO);
        Runnable first = impatient.enter(6, true);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> impatient.enter(6, true))
                .withMessageContaining("nothing of it was written");
        first.run();
        impatient.enter(6, true).run();
    }

    @Test
    void roomThatIsGivenBackTwiceIsThereOnce() {
        Admission impatient = new Admission("writes", 10, Duration.ZERO);
        Runnable first = impatient.enter(6, true);
        first.run();
        first.run();
        Runnable second = impatient.enter(6, true);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> impatient.enter(6, true));
        second.run();
    }

    @Test
    @Promise({22, 24})
    void codeThatDependsOnAFutureDoesNotWaitBecauseOthersMayWaitForIt() {
        Completions completions = new Completions(null);
        Runnable first = admission.enter(6, true);
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<Void> dependent =
                future.thenRun(() -> admission.enter(6, true).run());
        completions.complete(Reply.to(future), "done", () -> {});
        Threads.get(dependent);
        first.run();
        completions.close();
    }
}
