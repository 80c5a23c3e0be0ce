package dev.ttlstore.spring.reactive;

import java.util.Optional;
import java.util.function.Supplier;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * Makes the blocking calls of a store available to reactive applications as {@code Mono}s.
 *
 * <pre>{@code
 * TextGroup config = store.group("config");
 * Mono<String> theme = StoreCalls.find(() -> config.get("theme"));
 * }</pre>
 *
 * <p>A call does nothing until it is subscribed to. Then it runs in a thread of {@link Schedulers#boundedElastic()}
 * and signals its result there. Operators that follow in the same thread can call the store without another change of
 * threads, which would cost more than the call. A call that has begun is finished even if its subscriber cancels it.
 *
 * @since 0.1
 * @see dev.ttlstore.spring.session.StoreReactiveSessionRepository
 */
public final class StoreCalls {

    /** Whether this thread runs a call, or what follows its result, so that it may wait. */
    private static final ThreadLocal<Boolean> MAY_WAIT = new ThreadLocal<>();

    private StoreCalls() {}

    /**
     * Returns a call that has a result.
     *
     * @param <T> the type of the result
     * @param call returns the result
     * @return the call
     */
    public static <T> Mono<T> get(Supplier<T> call) {
        return find(() -> Optional.of(call.get()));
    }

    /**
     * Returns a call whose result may be absent.
     *
     * @param <T> the type of the result
     * @param call returns the result
     * @return the call; the result is empty if there is none
     */
    public static <T> Mono<T> find(Supplier<Optional<T>> call) {
        return Mono.create(sink -> {
            if (MAY_WAIT.get() != null) {
                call(call, sink);
            } else {
                // Not given to the sink, which would interrupt the call when it is cancelled.
                Disposable unused = Schedulers.boundedElastic().schedule(() -> {
                    MAY_WAIT.set(true);
                    try {
                        call(call, sink);
                    } finally {
                        MAY_WAIT.remove();
                    }
                });
            }
        });
    }

    private static <T> void call(Supplier<Optional<T>> call, MonoSink<T> sink) {
        Optional<T> result;
        try {
            result = call.get();
        } catch (Throwable e) { // errors as well, or the subscriber would wait for ever
            sink.error(e);
            return;
        }
        result.ifPresentOrElse(sink::success, sink::success);
    }

    /**
     * Returns a call that has an effect only.
     *
     * @param call has the effect
     * @return the call
     */
    public static Mono<Void> run(Runnable call) {
        return find(() -> {
            call.run();
            return Optional.empty();
        });
    }
}
