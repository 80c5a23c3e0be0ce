package dev.ttlstore.internal.access;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.internal.base.Reply;

/**
 * A request, and what its caller makes of the answer.
 *
 * @param request the request
 * @param reading reads the caller's answer from that of the request; it runs after the commit
 * @param <R> the type of the caller's answer
 */
public record Mutation<R extends @Nullable Object>(Request request, Function<Answer, R> reading) {

    /**
     * Creates a mutation of one row.
     *
     * @param operation what happens to it
     * @param reading reads the caller's answer from that of the request
     */
    public Mutation(Operation operation, Function<Answer, R> reading) {
        this(Request.of(operation), reading);
    }

    /**
     * Puts a value, if a condition holds.
     *
     * @param key the row
     * @param condition what must hold of it
     * @param value the encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns the new version; empty if the condition does not hold
     */
    public static Mutation<OptionalLong> put(RowKey key, Condition condition, byte[] value, ExpiryRule expiry) {
        return new Mutation<>(new Operation(key, condition, Effect.put(value, expiry)), Answer::versionIfApplied);
    }

    /**
     * Puts a value, whether or not there is a live entry.
     *
     * @param key the row
     * @param value the encoded value
     * @param expiry the expiry of the entry
     * @return a mutation that returns the new version
     */
    public static Mutation<Long> put(RowKey key, byte[] value, ExpiryRule expiry) {
        return new Mutation<>(new Operation(key, Condition.ALWAYS, Effect.put(value, expiry)), Answer::version);
    }

    /**
     * Does something to several rows.
     *
     * @param operations what happens to each
     * @return a mutation that returns how many of the operations have applied
     */
    public static Mutation<Long> all(List<Operation> operations) {
        return new Mutation<>(Request.all(operations), Answer::applied);
    }

    /**
     * Changes or deletes a live entry, if a condition holds.
     *
     * @param key the row
     * @param condition what must hold of it
     * @param effect what happens to it
     * @return a mutation that returns whether it has happened
     */
    public static Mutation<Boolean> change(RowKey key, Condition condition, Effect effect) {
        return new Mutation<>(new Operation(key, condition, effect), Answer::isApplied);
    }

    /**
     * Changes or deletes the live entries that meet a condition.
     *
     * @param keys the rows
     * @param condition what must hold of them
     * @param effect what happens to them
     * @return a mutation that returns to how many it has happened
     */
    public static Mutation<Long> changeAll(Collection<RowKey> keys, Condition condition, Effect effect) {
        return new Mutation<>(Request.each(keys, condition, effect), Answer::applied);
    }

    /**
     * Reads an entry, in its turn among the writes.
     *
     * @param key the row
     * @return a mutation that returns the live row, if there is one
     */
    public static Mutation<Optional<Row>> read(RowKey key) {
        return new Mutation<>(new Operation(key, Condition.ALWAYS, Effect.NOTHING, true), Answer::row);
    }

    /**
     * Runs it and waits for its commit, or adds it to the transaction.
     *
     * @param access reaches the rows
     * @return the caller's answer
     */
    public R on(RowAccess access) {
        return reading.apply(access.submit(request));
    }

    /**
     * Queues it, as one step of a write.
     *
     * @param access reaches the rows
     * @param whole completed exceptionally if this step fails
     * @param next gets the caller's answer, once it is committed
     */
    public void on(RowAccess access, CompletableFuture<?> whole, Consumer<R> next) {
        access.submitAsync(request, new Reply<>(whole, answer -> next.accept(reading.apply(answer))));
    }
}
