package dev.ttlstore.engine.support;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Random changes have the same effect as on a model that looks at every line after every change. */
@Promise(17)
class DeliveryLinesModelTests {

    private static final int STEPS = 400;
    private static final int KEYS = 3;

    private final FakeDeliveryTable table = new FakeDeliveryTable();
    private final DeliveryLines lines = new DeliveryLines(table);
    private final Map<Long, Modelled> model = new TreeMap<>();
    private final Map<String, Long> latestFirstAttempt = new HashMap<>();
    private final Set<Long> retried = new HashSet<>();
    private long recorded;
    private long ended;
    private long now = 1_000;

    private enum State {
        TIMED,
        PARKED,
        DEAD
    }

    private static final class Modelled {
        private final String key;
        private final long expiresAt;
        private State state = State.PARKED;
        private long nextAt;

        Modelled(String key, long expiresAt) {
            this.key = key;
            this.expiresAt = expiresAt;
        }
    }

    static IntStream seeds() {
        return IntStream.rangeClosed(1, Effort.of(15, 50));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachLineHasOneTimeInTheOrderOfIdsAndNothingIsLost(int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < STEPS; i++) {
            now += random.nextInt(3);
            change(random);
            compare();
        }
        assertThat(ended).isPositive();
        assertThat(retried).isNotEmpty();
    }

    private void change(Random random) {
        long id = anyId(random);
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> record(random);
            case 3, 4 -> acknowledge(id);
            case 5, 6 -> fail(id, random.nextInt(3) > 0 ? Row.NEVER : now + random.nextInt(5));
            case 7 -> retry(random.nextInt(4) == 0 ? DeliveryCommand.ALL : id);
            case 8 -> discard(id);
            default -> trim(random.nextInt(3));
        }
    }

    /** Returns the id of a delivery, or now and then one that is gone or was never there. */
    private long anyId(Random random) {
        List<Long> present = List.copyOf(model.keySet());
        return present.isEmpty() || random.nextInt(5) == 0
                ? 1 + random.nextInt((int) table.mark() + 2)
                : present.get(random.nextInt(present.size()));
    }

    private void record(Random random) {
        List<Row> rows = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String key = "key " + random.nextInt(KEYS);
            rows.add(new Row(new RowKey("group", key), new byte[0], 1, 0, 0, now + random.nextInt(7) - 4));
        }
        for (Row row : rows) {
            recorded++;
            model.put(recorded, new Modelled(row.key().key(), row.expiresAt()));
        }
        lines.record("mail", rows);
        settle(Row.NEVER);
    }

    private void acknowledge(long id) {
        Modelled delivery = model.get(id);
        if (delivery != null && delivery.state == State.TIMED) {
            model.remove(id);
            ended++;
        }
        lines.acknowledge(List.of(id), now);
        settle(now);
    }

    private void fail(long id, long nextAt) {
        Modelled delivery = model.get(id);
        if (delivery != null && delivery.state == State.TIMED) {
            delivery.state = nextAt == Row.NEVER ? State.DEAD : State.TIMED;
            delivery.nextAt = nextAt;
        }
        lines.update(List.of(new DeliveryUpdate(id, 1, nextAt, "failed")), now);
        settle(now);
    }

    private void retry(long id) {
        int count = 0;
        for (Map.Entry<Long, Modelled> entry : model.entrySet()) {
            if (entry.getValue().state == State.DEAD && (id == DeliveryCommand.ALL || entry.getKey() == id)) {
                entry.getValue().state = State.PARKED;
                retried.add(entry.getKey());
                count++;
            }
        }
        assertThat(lines.retry("mail", id, now)).isEqualTo(count);
        settle(now);
    }

    private void discard(long id) {
        Modelled delivery = model.get(id);
        int count = delivery != null && delivery.state == State.DEAD ? 1 : 0;
        if (count > 0) {
            model.remove(id);
            ended++;
        }
        assertThat(table.removeDead("mail", id)).isEqualTo(count);
    }

    private void trim(int limit) {
        List<Long> oldest = model.entrySet().stream()
                .filter(entry -> entry.getValue().state != State.DEAD)
                .sorted((a, b) -> Long.compare(a.getValue().expiresAt, b.getValue().expiresAt))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
        oldest.forEach(model::remove);
        ended += oldest.size();
        assertThat(lines.trim("mail", 0, limit, now)).isEqualTo(oldest.size());
        settle(now);
    }

    /** Gives a time to the first waiting delivery of every line in which none has one. */
    private void settle(long latest) {
        Set<String> timed = new HashSet<>();
        model.values().stream()
                .filter(delivery -> delivery.state == State.TIMED)
                .forEach(delivery -> timed.add(delivery.key));
        for (Map.Entry<Long, Modelled> entry : model.entrySet()) {
            Modelled delivery = entry.getValue();
            if (delivery.state == State.PARKED && timed.add(delivery.key)) {
                delivery.state = State.TIMED;
                delivery.nextAt = Math.min(delivery.expiresAt, latest);
                if (!retried.contains(entry.getKey())) {
                    Long before = latestFirstAttempt.put(delivery.key, entry.getKey());
                    assertThat(before == null || before < entry.getKey()).isTrue();
                }
            }
        }
    }

    private void compare() {
        List<Delivery> stored = table.all();
        assertThat(stored).extracting(Delivery::id).containsExactlyElementsOf(model.keySet());
        assertThat(recorded).isEqualTo(stored.size() + ended);
        Set<String> timed = new HashSet<>();
        for (Delivery delivery : stored) {
            Modelled expected = model.get(delivery.id());
            assertThat(state(delivery)).isEqualTo(expected == null ? null : expected.state);
            if (expected != null && expected.state == State.TIMED) {
                assertThat(delivery.nextAt()).isEqualTo(expected.nextAt);
                assertThat(timed.add(delivery.key().key())).isTrue();
            }
        }
    }

    private State state(Delivery delivery) {
        if (table.isParked(delivery.id())) {
            return State.PARKED;
        }
        return delivery.nextAt() == Row.NEVER ? State.DEAD : State.TIMED;
    }
}
