package dev.ttlstore.internal.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

import dev.ttlstore.engine.Answer;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Outcome;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** The mutations that callers ask for, as requests. */
public final class Mutations {

    private Mutations() {}

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
     * Puts values, all or none.
     *
     * @param values the rows and their encoded values
     * @param expiry the expiry of the entries
     * @return a mutation that returns how many values there are
     */
    public static Mutation<Long> putAll(Map<RowKey, byte[]> values, ExpiryRule expiry) {
        List<Operation> puts = new ArrayList<>(values.size());
        values.forEach((key, value) -> puts.add(new Operation(key, Condition.ALWAYS, Effect.put(value, expiry))));
        return new Mutation<>(Request.all(puts), Answer::applied);
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
     * Changes or deletes those live entries of which a condition holds.
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
     * Changes or deletes a live entry, if a condition holds, and answers with the entry.
     *
     * @param key the row
     * @param condition what must hold of it
     * @param effect what happens to it
     * @return a mutation that returns the outcome
     */
    public static Mutation<Outcome> returning(RowKey key, Condition condition, Effect effect) {
        return new Mutation<>(new Operation(key, condition, effect, true), Answer::only);
    }

    /**
     * Reads an entry, in its turn among the writes.
     *
     * @param key the row
     * @return a mutation that returns the live row, if there is one
     */
    public static Mutation<Optional<Row>> read(RowKey key) {
        return new Mutation<>(new Operation(key, Condition.ALWAYS, Effect.NOTHING, true), Answer::before);
    }

    /**
     * Computes a value from the current one and keeps the expiry, or puts an initial value.
     *
     * @param key the row
     * @param effect what computes the value
     * @param reading reads the caller's answer from the encoded value that was put
     * @return a mutation that returns the caller's answer
     * @param <R> the type of the caller's answer
     */
    public static <R> Mutation<R> compute(RowKey key, Effect effect, Function<byte[], R> reading) {
        return new Mutation<>(
                new Operation(key, Condition.ALWAYS, effect),
                answer -> reading.apply(answer.only().put().value()));
    }

    /**
     * Puts entries that have existed elsewhere, unless they are as they should be.
     *
     * @param rows the entries, whose versions do not count
     * @param replace whether other live entries are replaced
     * @param reading reads the caller's answer from the outcome of each
     * @return a mutation that returns the answers, in their order
     * @param <R> the type of an answer
     */
    public static <R> Mutation<List<R>> restore(List<Row> rows, boolean replace, Function<Outcome, R> reading) {
        List<Operation> operations = rows.stream()
                .map(row -> new Operation(row.key(), Condition.ALWAYS, Effect.restore(row, replace)))
                .toList();
        return new Mutation<>(
                Request.all(operations),
                answer -> answer.outcomes().stream().map(reading).toList());
    }
}
