package dev.ttlstore.internal.access;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;

/**
 * A request, and what its caller makes of the answer.
 *
 * @param request the request
 * @param reading reads the caller's answer from that of the request; it runs after the commit
 * @param <R> the type of the caller's answer
 */
public record Mutation<R extends @Nullable Object>(Request request, Function<Answer, R> reading) {

    Mutation(Operation operation, Function<Answer, R> reading) {
        this(Request.of(operation), reading);
    }

    /**
     * Reads the caller's answer.
     *
     * @param answer what has become of the request
     * @return the caller's answer
     */
    public R read(Answer answer) {
        return reading.apply(answer);
    }

    /**
     * Says how the only row was when the caller read it, as {@link Request#afterReading} does.
     *
     * @param row the live row; null if there was none
     * @return the mutation
     */
    public Mutation<R> afterReading(@Nullable Row row) {
        return new Mutation<>(request.afterReading(row), reading);
    }
}
