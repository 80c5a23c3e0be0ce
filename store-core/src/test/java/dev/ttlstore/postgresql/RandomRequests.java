package dev.ttlstore.postgresql;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Utf8;

/** Random requests on a few keys of several slots, of all kinds that the server decides. Used by one thread. */
final class RandomRequests {

    /** The seed of a run, which {@code -Dseed} repeats. */
    static final long SEED = Long.getLong("seed", System.nanoTime());

    private static final List<String> GROUPS = List.of("a", "b", "few:x", "few:y", "many:x", "free:z", "ü");

    /** The longest times, at which a sum is limited. */
    private static final long[] LONG = {1L << 60, 1L << 61, Millis.MAX - 1_000, Millis.MAX};

    private static final Duration TIMES = Duration.ofMillis(80);

    private final SplittableRandom random;
    private final LongSupplier now;
    private final Map<RowKey, Row> model;

    /**
     * Creates the requests of a run.
     *
     * @param random decides
     * @param now the time of the store
     * @param model what is stored, so that conditions often hold
     */
    RandomRequests(SplittableRandom random, LongSupplier now, Map<RowKey, Row> model) {
        this.random = random;
        this.now = now;
        this.model = model;
    }

    /** Returns the requests of a batch. */
    List<Request> next() {
        int size = random.nextInt(3) == 0 ? 1 : random.nextInt(20) == 0 ? 40 : 1 + random.nextInt(5);
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            requests.add(request());
        }
        return requests;
    }

    private Request request() {
        int operations = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1;
        List<Request.Check> checks = new ArrayList<>();
        for (int i = random.nextInt(6) == 0 ? 1 + random.nextInt(2) : 0; i > 0; i--) {
            RowKey key = key();
            checks.add(new Request.Check(key, condition(key)));
        }
        List<Operation> all = new ArrayList<>();
        for (int i = 0; i < operations; i++) {
            RowKey key = key();
            Condition condition = random.nextBoolean() ? Condition.ALWAYS : condition(key);
            all.add(new Operation(key, condition, effect(operations == 1), random.nextInt(3) == 0));
        }
        return new Request(checks, all);
    }

    private RowKey key() {
        String group = GROUPS.get(random.nextInt(GROUPS.size()));
        return new RowKey(group, "key " + random.nextInt(5) + (random.nextInt(6) == 0 ? "é\uD83D\uDE00" : ""));
    }

    private Condition condition(RowKey key) {
        Row row = model.get(key);
        Condition.Kind[] kinds = Condition.Kind.values();
        return switch (kinds[random.nextInt(kinds.length)]) {
            case ALWAYS, TEST -> Condition.ALWAYS;
            case ABSENT -> Condition.ABSENT;
            case LIVE -> Condition.LIVE;
            case VERSION -> Condition.version(row == null || random.nextInt(4) == 0 ? 77 : row.version());
            case VALUE -> Condition.value(row == null || random.nextInt(4) == 0 ? value() : row.value());
            case TEXT -> row == null || Utf8.isText(row.value()) ? Condition.TEXT : Condition.LIVE;
            case CREATED_BY -> Condition.createdBy(now.getAsLong() - random.nextInt(60));
        };
    }

    private Effect effect(boolean alone) {
        return switch (random.nextInt(alone ? 10 : 8)) {
            case 0 -> Effect.NOTHING;
            case 1, 2 -> Effect.DELETE;
            case 3, 4 -> Effect.reschedule(rule());
            case 8, 9 -> Effect.add(random.nextInt(100) - 50, rule());
            default -> Effect.put(value(), rule());
        };
    }

    private long longTime() {
        return LONG[random.nextInt(LONG.length)] - 100;
    }

    private ExpiryRule rule() {
        ExpiryRule.Start start = ExpiryRule.Start.values()[random.nextInt(ExpiryRule.Start.values().length)];
        long millis =
                switch (start) {
                    case NEVER -> 0;
                    case AT -> (random.nextInt(12) == 0 ? longTime() : now.getAsLong()) + random.nextInt(100) - 20;
                    default ->
                        start == ExpiryRule.Start.NOW && random.nextInt(6) == 0
                                ? longTime()
                                : random.nextInt(8) == 0
                                        ? random.nextLong(1_300_000)
                                        : random.nextLong(TIMES.toMillis());
                };
        long otherwise = random.nextBoolean() ? Row.NEVER : random.nextLong(TIMES.toMillis());
        ExpiryRule.Bound bound = ExpiryRule.Bound.values()[random.nextInt(ExpiryRule.Bound.values().length)];
        return new ExpiryRule(
                start, millis, otherwise, start == ExpiryRule.Start.NEVER ? ExpiryRule.Bound.NONE : bound);
    }

    private byte[] value() {
        int kind = random.nextInt(10);
        if (kind < 5) {
            return Integer.toString(random.nextInt(200) - 100).getBytes(StandardCharsets.US_ASCII);
        }
        byte[] bytes = new byte[kind == 9 ? 1_500 : random.nextInt(12)];
        random.nextBytes(bytes);
        return bytes;
    }
}
