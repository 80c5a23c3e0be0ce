package dev.ttlstore.sqlite;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Deliveries;
import dev.ttlstore.engine.Deliveries.Backlog;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.DeliveryLines;
import dev.ttlstore.engine.support.DeliveryTable;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.tuple;

/** Of each key one delivery at most is due; the next one is when that is done with, in the transaction that ends it. */
@Promise(17)
class SqliteDeliveriesTests {

    private static final long NOW = 1_000;
    private static final int ALL = 100;

    private final Engine engine = Opening.inMemory(
            Sqlite.inMemory().settings(new EngineSettings(false, Duration.ZERO, InstantSource.system())));
    private final Deliveries reads = engine.deliveries();
    private long version;

    @BeforeEach
    void subscribe() {
        change(table -> table.add(new Subscriber("mail", GroupRange.only("group"))));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void theFirstOfEachKeyIsDue() {
        record("a", "b", "a", "a");
        assertThat(due()).containsExactly(1L, 2L);
        assertThat(reads.nextAfter("mail", NOW)).isEqualTo(Row.NEVER);
        assertThat(reads.backlog("mail")).isEqualTo(new Backlog(4, 1, 0));
    }

    @Test
    void whenADeliveryIsAcknowledgedTheNextOfItsKeyIsDueByTheTimeOfItsExpiry() {
        record("a", "b", "a", "a");
        write(writes -> writes.acknowledge(List.of(1L), NOW));
        assertThat(reads.claim("mail", NOW, NOW + 1, ALL))
                .extracting(Delivery::id, Delivery::nextAt)
                .containsExactly(tuple(2L, 2L), tuple(3L, 3L));
        write(writes -> writes.acknowledge(List.of(1L, 2L), NOW));
        assertThat(due()).containsExactly(3L);
    }

    @Test
    void whenADeliveryIsADeadLetterTheNextOfItsKeyIsDue() {
        record("a", "a");
        write(writes -> writes.update(List.of(new DeliveryUpdate(1, 1, 2_000, "failed")), NOW));
        assertThat(due()).isEmpty();
        assertThat(reads.nextAfter("mail", NOW)).isEqualTo(2_000);
        write(writes -> writes.update(List.of(new DeliveryUpdate(1, 2, Row.NEVER, "failed")), NOW));
        assertThat(due()).containsExactly(2L);
        assertThat(reads.backlog("mail").dead()).isEqualTo(1);
        assertThat(reads.backlog("mail").pending()).isEqualTo(1);
    }

    @Test
    void aDeadLetterThatIsTriedAgainIsDueUnlessAnotherOfItsKeyIsAndThenComesNext() {
        record("a", "a", "a");
        write(writes -> writes.update(List.of(new DeliveryUpdate(1, 1, Row.NEVER, "failed")), NOW));
        write(writes -> assertThat(writes.retry("mail", 1, NOW)).isEqualTo(1));
        assertThat(due()).containsExactly(2L);
        write(writes -> writes.acknowledge(List.of(2L), NOW));
        assertThat(due()).containsExactly(1L);
        write(writes -> writes.acknowledge(List.of(1L), NOW));
        assertThat(due()).containsExactly(3L);
        write(writes -> writes.update(List.of(new DeliveryUpdate(3, 1, Row.NEVER, "failed")), NOW));
        write(writes ->
                assertThat(writes.retry("mail", DeliveryCommand.ALL, NOW)).isEqualTo(1));
        assertThat(due()).containsExactly(3L);
    }

    @Test
    void whenTheOldestAreTrimmedTheNextOfTheirKeysAreDue() {
        record("a", "b", "a", "a", "b");
        write(writes -> assertThat(writes.trim("mail", 0, 3, NOW)).isEqualTo(3));
        assertThat(due()).containsExactly(4L, 5L);
    }

    @Test
    void whatExpiredByAClockThatWasAheadIsDueNow() {
        write(writes -> writes.record("mail", List.of(row("a", 1), row("a", 9_000))));
        write(writes -> writes.acknowledge(List.of(1L), NOW));
        assertThat(due()).containsExactly(2L);
    }

    @Test
    void aRetryCanBeBroughtForward() {
        record("a", "a", "b");
        write(writes -> writes.update(List.of(new DeliveryUpdate(1, 1, 9_000, "failed")), NOW));
        change(table -> assertThat(table.hasten("mail", 2_000)).isEqualTo(1));
        assertThat(due()).containsExactly(3L);
        assertThat(reads.nextAfter("mail", NOW)).isEqualTo(2_000);
    }

    @Test
    void aSubscriberWhoseRemovalIsCutShortIsThereWithWhatIsLeftInOrder() {
        record("a", "b", "a", "a", "b");
        write(writes -> assertThat(writes.remove("mail", 2)).isFalse());
        assertThat(reads.subscribers()).hasSize(1);
        assertThat(reads.backlog("mail").pending()).isEqualTo(3);
        assertThat(due()).containsExactly(1L, 2L);
        write(writes -> assertThat(writes.remove("mail", 2)).isFalse());
        write(writes -> assertThat(writes.remove("mail", 2)).isTrue());
        assertThat(reads.subscribers()).isEmpty();
        assertThat(reads.backlog("mail").pending()).isZero();
    }

    @Test
    void aValueIsReadByItsDelivery() {
        record("a");
        assertThat(requireNonNull(reads.value(1)).value()).isEqualTo("value 1".getBytes(UTF_8));
        write(writes -> writes.acknowledge(List.of(1L), NOW));
        assertThat(reads.value(1)).isNull();
    }

    private void record(String... keys) {
        for (String key : keys) {
            write(writes -> writes.record("mail", List.of(row(key, version + 1))));
        }
    }

    private Row row(String key, long expiresAt) {
        version++;
        return new Row(new RowKey("group", key), ("value " + version).getBytes(UTF_8), version, 0, 0, expiresAt);
    }

    private List<Long> due() {
        return reads.claim("mail", NOW, NOW + 1, ALL).stream().map(Delivery::id).toList();
    }

    private void write(Consumer<DeliveryLines> work) {
        change(table -> work.accept(new DeliveryLines(table)));
    }

    private void change(Consumer<DeliveryTable> work) {
        boolean unused = ((SqliteEngine) engine).write(commit -> {
            work.accept(commit.deliveries());
            return true;
        });
    }
}
