package dev.ttlstore.internal.commit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;
import dev.ttlstore.engine.commit.Writes;
import dev.ttlstore.engine.support.SteadyClock;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.QuotaExceededException.Amounts;
import dev.ttlstore.internal.access.Mutation;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Whatever happens, the usage is that of the rows. */
@Promise(19)
class QuotaUsageTests {

    private static final Amounts LIMIT = new Amounts(12, 3, 70);
    private static final List<String> GROUPS = List.of("a:one", "a:two", "a:three", "a:four", "b:one", "plain");

    private final MovableClock clock = new MovableClock();
    private final FakeEngine engine = new FakeEngine(clock);
    private final StoreClock time = new SteadyClock(clock, 0);
    private final Quotas quotas = new Quotas();
    private final CommitPipeline pipeline =
            PipelineBuilder.on(engine).quotas(quotas).retained(GroupRange.ALL).build();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theUsageIsThatOfTheLiveRowsAfterAnything(long seed) {
        Random random = new Random(seed);
        quotas.set("a", LIMIT);
        int refused = 0;
        for (int i = 0; i < Effort.of(300, 1_000); i++) {
            try {
                step(random);
            } catch (QuotaExceededException e) {
                refused++;
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("on purpose");
            }
            engine.onCommit(transaction -> {});
            for (String namespace : List.of("a", "b")) {
                assertThat(pipeline.run(new Command.CountUsage(namespace))).isEqualTo(counted(namespace));
            }
            assertThat(Quotas.admits(LIMIT, counted("a"))).isTrue();
        }
        assertThat(refused).isPositive();
    }

    @Test
    void theUsageOfANamespaceWithoutAQuotaCanBeAskedForToo() {
        Writes.submit(pipeline, put(Rows.key("a:one", "key"), 3, ExpiryRule.NEVER));
        assertThat(pipeline.run(new Command.CountUsage("a"))).isEqualTo(new Amounts(1, 1, 6));
        Writes.submit(pipeline, put(Rows.key("a:two", "key"), 3, ExpiryRule.NEVER));
        assertThat(pipeline.run(new Command.CountUsage("a"))).isEqualTo(new Amounts(2, 2, 12));
        assertThat(pipeline.run(new Command.CountUsage("b"))).isEqualTo(new Amounts(0, 0, 0));
    }

    private void step(Random random) {
        if (random.nextInt(10) == 0) {
            engine.onCommit(transaction -> {
                throw new IllegalStateException("on purpose");
            });
        }
        switch (random.nextInt(12)) {
            case 0 -> clock.advance(Duration.ofMillis(random.nextInt(4)));
            case 1 -> pipeline.clear(GroupRange.only(group(random)));
            case 2 -> pipeline.clear(GroupRange.prefix("a:t"));
            case 3 -> pipeline.purge(GroupRange.ALL, time.now());
            case 4, 5 -> transact(random);
            default -> Writes.submit(pipeline, mutation(random));
        }
    }

    private void transact(Random random) {
        pipeline.transact(view -> {
            for (int i = random.nextInt(5); i >= 0; i--) {
                try {
                    Writes.apply(view, mutation(random));
                } catch (QuotaExceededException e) {
                    view.clear(GroupRange.only(group(random)));
                }
            }
            if (random.nextInt(3) == 0) {
                throw new IllegalStateException("on purpose");
            }
            return true;
        });
    }

    private static Mutation<?> mutation(Random random) {
        RowKey key = Rows.key(group(random), "k" + random.nextInt(4));
        ExpiryRule expiry = random.nextBoolean() ? ExpiryRule.NEVER : ExpiryRule.afterMillis(random.nextInt(6) + 1);
        return switch (random.nextInt(8)) {
            case 0 -> Writes.delete(key);
            case 1 -> Writes.reschedule(key, random.nextBoolean() ? ExpiryRule.NOW : expiry);
            case 2 -> Writes.putIfAbsent(key, new byte[random.nextInt(9)], expiry);
            case 3 ->
                Writes.merge(
                        key,
                        value -> {
                            throw new IllegalStateException("on purpose");
                        },
                        new byte[1],
                        expiry);
            case 4 -> Writes.putAll(Map.of(key, new byte[2], Rows.key(group(random), "all"), new byte[3]), expiry);
            default -> put(key, random.nextInt(9), expiry);
        };
    }

    private static Mutation<Long> put(RowKey key, int size, ExpiryRule expiry) {
        return Mutation.put(key, new byte[size], expiry);
    }

    private static String group(Random random) {
        return GROUPS.get(random.nextInt(GROUPS.size()));
    }

    private Amounts counted(String namespace) {
        List<Row> live = engine.rows().values().stream()
                .filter(row -> row.isLiveAt(time.now()))
                .filter(row -> row.key().group().startsWith(namespace + ":"))
                .toList();
        long groups = live.stream().map(row -> row.key().group()).distinct().count();
        return new Amounts(
                live.size(), groups, live.stream().mapToLong(Row::bytes).sum());
    }
}
