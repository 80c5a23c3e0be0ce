package dev.ttlstore.internal.store;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

import dev.ttlstore.Expiry;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.ExpiryRule.Bound;
import dev.ttlstore.engine.ExpiryRule.Start;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoredNumbers;
import dev.ttlstore.internal.access.Mutation;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.value.RowValues;

/** Makes the mutations of a group's writes: checks and encodes what callers pass. Writes nothing itself. */
final class GroupMutations<V> {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int KEY_BYTES = 18; // 144 bits, and a multiple of 3, so that Base64 needs no padding

    private final String group;
    private final RowValues<V> values;
    private final RowAccess access;

    /** The rule of the group's default ttl. */
    private final ExpiryRule standing;

    /** The ttl of an entry that there was not before; {@link Row#NEVER} if it has none. */
    private final long standingMillis;

    GroupMutations(String group, RowValues<V> values, RowAccess access) {
        this.group = group;
        this.values = values;
        this.access = access;
        Duration ttl = access.context().group(group).ttl();
        this.standingMillis = ttl == null ? Row.NEVER : Millis.ofTtl(ttl, "ttl");
        this.standing = ttl == null ? ExpiryRule.NEVER : ExpiryRule.afterMillis(standingMillis);
    }

    /** Returns how values are converted to stored bytes. */
    RowValues<V> values() {
        return values;
    }

    /** Returns the full name of the group. */
    String group() {
        return group;
    }

    Mutation<Long> put(String key, V value, Expiry expiry) {
        ExpiryRule rule = ruleOfPut(expiry);
        return Mutation.put(rowKey(key), encode(key, value), rule);
    }

    Mutation<Long> putAll(Map<String, ? extends V> given, Expiry expiry) {
        access.requireUsable(); // also if there is no key to check
        ExpiryRule rule = ruleOfPut(expiry);
        Objects.requireNonNull(given, "'values' must not be null");
        List<Operation> puts = new ArrayList<>(given.size());
        given.forEach((key, value) -> puts.add(
                new Operation(rowKey(key), Condition.ALWAYS, Effect.put(values.encode(key, value, "values"), rule))));
        return Mutation.all(puts);
    }

    Mutation<OptionalLong> putIfAbsent(String key, V value, Expiry expiry) {
        ExpiryRule rule = ruleOfPut(expiry);
        return Mutation.put(rowKey(key), Condition.ABSENT, encode(key, value), rule);
    }

    Mutation<OptionalLong> putIfPresent(String key, V value, Expiry expiry) {
        ExpiryRule rule = ruleOfPut(expiry);
        return Mutation.put(rowKey(key), Condition.LIVE, encode(key, value), rule);
    }

    Mutation<OptionalLong> replace(String key, V expected, V value, Expiry expiry) {
        ExpiryRule rule = ruleOfPut(expiry);
        RowKey rowKey = rowKey(key);
        return Mutation.put(rowKey, values.holding(key, expected), encode(key, value), rule);
    }

    Mutation<OptionalLong> replaceVersion(String key, long version, V value, Expiry expiry) {
        ExpiryRule rule = ruleOfPut(expiry);
        return Mutation.put(rowKey(key), Condition.version(version), encode(key, value), rule);
    }

    Mutation<Boolean> delete(String key) {
        return Mutation.change(rowKey(key), Condition.LIVE, Effect.DELETE);
    }

    Mutation<Boolean> delete(String key, V expected) {
        RowKey rowKey = rowKey(key);
        return Mutation.change(rowKey, values.holding(key, expected), Effect.DELETE);
    }

    Mutation<Boolean> deleteVersion(String key, long version) {
        return Mutation.change(rowKey(key), Condition.version(version), Effect.DELETE);
    }

    Mutation<Long> deleteAll(Collection<String> keys) {
        return Mutation.changeAll(rowKeys(keys), Condition.LIVE, Effect.DELETE);
    }

    Mutation<Boolean> reschedule(String key, Expiry expiry) {
        ExpiryRule rule = rule(expiry);
        return Mutation.change(rowKey(key), Condition.LIVE, Effect.reschedule(rule));
    }

    Mutation<Long> rescheduleAll(Collection<String> keys, Expiry expiry) {
        ExpiryRule rule = rule(expiry);
        return Mutation.changeAll(rowKeys(keys), Condition.LIVE, Effect.reschedule(rule));
    }

    /** Adds to a number, and answers with the new one. Only for groups of numbers. */
    Mutation<Long> increment(String key, long delta, Expiry onCreate) {
        Objects.requireNonNull(onCreate, "'onCreate' must not be null");
        ExpiryRule rule = ruleOfPut(onCreate);
        RowKey rowKey = rowKey(key);
        return new Mutation<>(
                new Operation(rowKey, Condition.ALWAYS, addition(key, delta, rule)),
                answer ->
                        number(key, Objects.requireNonNull(answer.only().row()).value()));
    }

    /** Only code can add to a sealed number. */
    private Effect addition(String key, long delta, ExpiryRule rule) {
        return values.isSealed()
                ? Effect.compute(
                        stored -> sealed(key, StoredNumbers.sum(number(key, stored), delta)), sealed(key, delta), rule)
                : Effect.add(delta, rule);
    }

    private byte[] sealed(String key, long number) {
        return values.seal(key, StoredNumbers.encode(number));
    }

    private long number(String key, byte[] stored) {
        return StoredNumbers.decode(values.open(key, stored));
    }

    /** Makes a key that nobody can guess. */
    static String freshKey() {
        byte[] random = new byte[KEY_BYTES];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    byte[] encode(String key, V value) {
        return values.encode(key, value, "value");
    }

    RowKey rowKey(String key) {
        return access.rowKey(group, key);
    }

    private Set<RowKey> rowKeys(Collection<String> keys) {
        access.requireUsable();
        Objects.requireNonNull(keys, "'keys' must not be null");
        Set<RowKey> rowKeys = new LinkedHashSet<>(2 * keys.size());
        keys.forEach(key -> rowKeys.add(rowKey(key)));
        return rowKeys;
    }

    /** Returns the rule for a write that puts a value, so that the entry's last update is now. */
    ExpiryRule ruleOfPut(Expiry expiry) {
        Objects.requireNonNull(expiry, "'expiry' must not be null");
        return expiry.start() == Expiry.Start.UPDATE
                ? rule(new Expiry(Expiry.Start.NOW, expiry.millis(), expiry.condition()))
                : rule(expiry);
    }

    /** Returns the rule for a write that changes nothing but the expiry. */
    ExpiryRule rule(Expiry expiry) {
        Objects.requireNonNull(expiry, "'expiry' must not be null");
        long millis = expiry.millis();
        Bound bound =
                switch (expiry.condition()) {
                    case ALWAYS -> Bound.NONE;
                    case IF_LATER -> Bound.LATER;
                    case IF_EARLIER -> Bound.EARLIER;
                };
        return switch (expiry.start()) {
            case NOW -> rule(Start.NOW, millis, bound);
            case EPOCH -> rule(Start.AT, millis, bound);
            case NEVER -> rule(Start.NEVER, 0, bound);
            case GROUP_DEFAULT -> ruleOfGroup(millis, bound);
            case CURRENT -> rule(Start.CURRENT, millis, bound);
            case CREATION -> rule(Start.CREATION, millis, bound);
            case UPDATE -> rule(Start.UPDATE, millis, bound);
        };
    }

    private ExpiryRule ruleOfGroup(long millis, Bound bound) {
        if (millis == 0 && bound == Bound.NONE) {
            return standing;
        }
        return standingMillis == Row.NEVER
                ? rule(Start.NEVER, 0, bound)
                : rule(Start.NOW, Math.min(standingMillis + millis, Millis.MAX), bound);
    }

    private ExpiryRule rule(Start start, long millis, Bound bound) {
        return new ExpiryRule(start, millis, standingMillis, bound);
    }
}
