package dev.ttlstore.contract;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Usage;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a namespace takes, kept exact whatever happens. */
@Promise(19)
abstract class UsageContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);

    @Test
    void threadsCannotPassAQuotaTogether() {
        Scope scope = store().scope("acme", new Quota(100, 0, 0));
        List<Integer> put = Threads.together(16, thread -> {
            int done = 0;
            for (int i = 0; i < 20; i++) {
                try {
                    scope.group("group" + thread % 3).put(thread + "." + i, "value");
                    done++;
                } catch (QuotaExceededException e) {
                    assertThat(e.needed().keys()).isEqualTo(101);
                }
            }
            return done;
        });
        assertThat(put.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100);
        assertThat(scope.count()).isEqualTo(100);
        assertThat(scope.usage().keys()).isEqualTo(100);
    }

    @Test
    void threadsThatAddAndRemoveNeverPassAQuota() {
        Scope scope = store().scope("acme", new Quota(10, 2, 0));
        Threads.together(8, thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < Effort.of(10, 60); i++) {
                TextGroup group = scope.group("group" + random.nextInt(4));
                try {
                    if (random.nextBoolean()) {
                        group.put("key" + random.nextInt(8), "value");
                    } else if (random.nextInt(5) == 0) {
                        scope.transact(tx -> tx.group("group0").add("value"));
                    } else {
                        group.delete("key" + random.nextInt(8));
                    }
                } catch (QuotaExceededException e) {
                    assertThat(e.needed().keys() > 10 || e.needed().groups() > 2)
                            .isTrue();
                    group.clear();
                }
                assertThat(scope.usage().keys()).isLessThanOrEqualTo(10);
                assertThat(scope.usage().groups()).isLessThanOrEqualTo(2);
            }
            return true;
        });
        assertThat(scope.usage()).isEqualTo(recount(scope));
    }

    @Test
    void aQuotaThatIsSetDuringATransactionHoldsFromThenOnAndCountsWhatItHasDone() {
        store().group("acme:group").put("before", "value");
        store().transact(tx -> {
            TextGroup group = tx.group("acme:group");
            group.put("1", "value");
            group.delete("before");
            Threads.get(Threads.start(thread -> store().scope("acme", new Quota(2, 0, 0))));
            group.put("2", "value");
            assertThatExceptionOfType(QuotaExceededException.class).isThrownBy(() -> group.put("3", "value"));
            return true;
        });
        assertThat(store().scope("acme").usage()).isEqualTo(new Usage(2, 1, 12));
    }

    @Test
    void aQuotaThatIsSetDuringATransactionThatFailsFindsWhatIsThere() {
        store().group("acme:group").put("before", "value");
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> store().transact(tx -> {
            tx.group("acme:group").put("1", "value");
            Threads.get(Threads.start(thread -> store().scope("acme", new Quota(2, 0, 0))));
            throw new UnsupportedOperationException("on purpose");
        }));
        assertThat(store().scope("acme").usage()).isEqualTo(new Usage(1, 1, 11));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void usageIsARecountAfterALongRunOfEverything(long seed) {
        run(new Random(seed), Effort.of(100, 600));
    }

    /** Does all that can be done to a namespace, at random, and counts again now and then. */
    final void run(Random random, int steps) {
        Scope scope = store().scope("acme");
        for (int i = 0; i < steps; i++) {
            if (i % 50 == 10) {
                store().scope("acme", new Quota(random.nextInt(3) * 8L, random.nextInt(3), random.nextInt(3) * 200L));
            }
            try {
                step(random);
            } catch (QuotaExceededException | UnsupportedOperationException e) {
                // refused or failed, and so without effect
            }
            if (i % 7 == 0) {
                assertThat(scope.usage()).as("after step " + i).isEqualTo(recount(scope));
            }
        }
        store().purgeExpired();
        assertThat(scope.usage()).isEqualTo(recount(scope));
    }

    private void step(Random random) {
        TextGroup group = store().group("acme:group" + random.nextInt(4));
        String key = "key" + random.nextInt(8);
        String value = "v".repeat(random.nextInt(30));
        switch (random.nextInt(18)) {
            case 0, 1, 2 -> group.put(key, value);
            case 3, 4, 5 -> group.put(key, value, Duration.ofMillis(1 + random.nextInt(20)));
            case 6 -> group.putAll(Map.of(key, value, "a", value), TTL);
            case 7 -> group.putIfAbsent(key, value);
            case 8 -> group.update(key, old -> old + "é");
            case 9 -> group.delete(key);
            case 10 -> group.take(key);
            case 11 -> group.expire(key, TTL);
            case 12 -> group.expireAllNow();
            case 13 -> group.clear();
            case 14 -> store().scope("acme").purgeExpired();
            case 15 ->
                store().transact(tx -> {
                    tx.group("acme:group0").put(key, value, TTL);
                    tx.group("acme:group1").delete(key);
                    if (random.nextInt(3) == 0) {
                        tx.deletePrefix("acme:group2");
                        tx.group("acme:group3").expireAllNow();
                        tx.group("acme:group2").put(key, value);
                    }
                    if (random.nextInt(3) == 0) {
                        throw new UnsupportedOperationException("on purpose");
                    }
                    return true;
                });
            case 16 -> store().deletePrefix("acme:group" + random.nextInt(2));
            default -> advanceMillis(random.nextInt(8));
        }
    }

    /** What there is to see. */
    static Usage recount(Scope scope) {
        List<String> groups = scope.groups().toList();
        long keys = 0;
        long bytes = 0;
        for (String name : groups) {
            for (Map.Entry<String, String> entry : scope.group(name).getAll().entrySet()) {
                keys++;
                bytes += entry.getKey().getBytes(StandardCharsets.UTF_8).length;
                bytes += entry.getValue().getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return new Usage(keys, groups.size(), bytes);
    }
}
