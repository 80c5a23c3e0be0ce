package dev.ttlstore.spring.reactive;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Calls of a store, which wait for it, as {@code Mono}s of reactive applications. Each does nothing until it is subscribed to. Then it runs
 * in a thread of {@link Schedulers#boundedElastic()} and signals its result in one of {@link Schedulers#parallel()}, so that nothing that
 * follows keeps a thread from the store. A call that has begun is finished although its subscriber cancels it.
 */
public final class StoreCalls {

    private StoreCalls() {}

    /**
     * Calls for a result.
     *
     * @param <T> the type of the result
     * @param call returns the result
     * @return the call
     */
    public static <T> Mono<T> get(Supplier<T> call) {
        return start(sink -> sink.success(call.get()));
    }

    /**
     * Calls for what may be absent.
     *
     * @param <T> the type of the result
     * @param call returns the result
     * @return the call; the result is empty if there is none
     */
    public static <T> Mono<T> find(Supplier<Optional<T>> call) {
        return start(sink -> call.get().ifPresentOrElse(sink::success, sink::success));
    }

    /**
     * Calls for an effect.
     *
     * @param call has the effect
     * @return the call
     */
    public static Mono<Void> run(Runnable call) {
        return start(sink -> {
            call.run();
            sink.success();
        });
    }

    /** Gives the sink nothing to cancel: it would interrupt the call. */
    private static <T> Mono<T> start(Consumer<MonoSink<T>> call) {
        Scheduler scheduler = Schedulers.boundedElastic();
        return Mono.<T>create(sink -> scheduler.schedule(() -> {
                    try {
                        call.accept(sink);
                    } catch (Throwable e) { // errors as well, or the subscriber would wait for ever
                        sink.error(e);
                    }
                }))
                .publishOn(Schedulers.parallel());
    }
}
