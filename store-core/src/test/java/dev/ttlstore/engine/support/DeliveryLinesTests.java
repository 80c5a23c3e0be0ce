package dev.ttlstore.engine.support;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.Subscriber;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Of each line one delivery has a time, and when that one leaves, the next one by id gets one. */
@Promise(17)
class DeliveryLinesTests {

    private static final long NOW = 1_000;
    private static final int ALL = 100;

    private final FakeDeliveryTable table = new FakeDeliveryTable();
    private final DeliveryLines lines = new DeliveryLines(table);

    @BeforeEach
    void subscribe() {
        table.add(new Subscriber("mail", GroupRange.only("group")));
    }

    @Test
    void theFirstOfALineHasTheTimeOfItsExpiryAndAllOthersAreParked() {
        record("a", "b", "a", "a");
        assertThat(timed()).containsExactly(1L, 2L);
        assertThat(table.due("mail", NOW, ALL)).extracting(Delivery::nextAt).containsExactly(1L, 2L);
    }

    @Test
    void severalExpiriesOfAKeyMayBeRecordedAtOnce() {
        lines.record("mail", List.of(row("a", 1), row("a", 2), row("b", 3)));
        assertThat(timed()).containsExactly(1L, 3L);
    }

    @Test
    void eachSubscriberHasALineOfItsOwn() {
        lines.record("mail", List.of(row("a", 1)));
        lines.record("audit", List.of(row("a", 1)));
        assertThat(timed()).containsExactly(1L);
        assertThat(table.due("audit", NOW, ALL)).extracting(Delivery::id).containsExactly(2L);
    }

    @Test
    void whatAnEngineInsertsInBulkIsParkedBehindWhatWaitsAlready() {
        record("a", "b");
        lines.update(List.of(new DeliveryUpdate(2, 1, Row.NEVER, "failed")), NOW);
        lines.inserted(table.insert("mail", List.of(row("a", 3), row("b", 4), row("c", 5))));
        assertThat(timed()).containsExactly(1L, 4L, 5L);
    }

    @Test
    void whenADeliveryIsAcknowledgedTheNextOfItsLineHasATime() {
        record("a", "b", "a", "a");
        lines.acknowledge(List.of(1L), NOW);
        assertThat(timed()).containsExactly(2L, 3L);
        lines.acknowledge(List.of(3L, 2L), NOW);
        assertThat(timed()).containsExactly(4L);
    }

    @Test
    void theTimeOfTheNextIsThatOfItsExpiryButNotLaterThanNow() {
        lines.record("mail", List.of(row("a", 1), row("a", 2), row("a", 9_000)));
        lines.acknowledge(List.of(1L), NOW);
        assertThat(table.due("mail", NOW, ALL))
                .extracting(Delivery::id, Delivery::nextAt)
                .containsExactly(tuple(2L, 2L));
        lines.acknowledge(List.of(2L), NOW);
        assertThat(table.due("mail", NOW, ALL))
                .extracting(Delivery::id, Delivery::nextAt)
                .containsExactly(tuple(3L, NOW));
    }

    @Test
    void anOutcomeOfAParkedDeliveryOrADeadLetterIsIgnoredAndSoIsOneOfNoDelivery() {
        record("a", "a", "b", "b");
        lines.update(List.of(new DeliveryUpdate(3, 1, Row.NEVER, "failed")), NOW);
        List<Delivery> before = table.all();
        lines.acknowledge(List.of(2L, 3L, 99L), NOW);
        lines.update(
                List.of(
                        new DeliveryUpdate(2, 1, Row.NEVER, "late"),
                        new DeliveryUpdate(3, 1, 5_000, "late"),
                        new DeliveryUpdate(99, 1, 5_000, "late")),
                NOW);
        assertThat(table.all()).isEqualTo(before);
    }

    @Test
    void aDeliveryThatIsTriedAgainLaterKeepsItsPlace() {
        record("a", "a");
        lines.update(List.of(new DeliveryUpdate(1, 1, 2_000, "failed")), NOW);
        assertThat(timed()).containsExactly(1L);
        assertThat(table.nextAfter("mail", NOW)).isEqualTo(2_000);
        assertThat(table.hasten("mail", 1_500)).isEqualTo(1);
        assertThat(table.nextAfter("mail", NOW)).isEqualTo(1_500);
    }

    @Test
    void whenADeliveryIsADeadLetterTheNextOfItsLineHasATime() {
        record("a", "a");
        lines.update(List.of(new DeliveryUpdate(1, 1, Row.NEVER, "failed")), NOW);
        assertThat(timed()).containsExactly(2L);
        assertThat(table.backlog("mail").dead()).isEqualTo(1);
    }

    @Test
    void aRetriedDeadLetterIsNoSecondOneWithATimeAndIsTheNext() {
        record("a", "a", "a");
        lines.update(List.of(new DeliveryUpdate(1, 1, Row.NEVER, "failed")), NOW);
        assertThat(lines.retry("mail", 1, NOW)).isEqualTo(1);
        assertThat(timed()).containsExactly(2L);
        lines.acknowledge(List.of(2L), NOW);
        assertThat(timed()).containsExactly(1L);
        lines.acknowledge(List.of(1L), NOW);
        assertThat(timed()).containsExactly(3L);
    }

    @Test
    void ofSeveralRetriedDeadLettersOfALineTheFirstHasATime() {
        record("a", "a", "b");
        for (long id : List.of(1L, 2L)) {
            lines.update(List.of(new DeliveryUpdate(id, 4, Row.NEVER, "failed")), NOW);
        }
        assertThat(timed()).containsExactly(3L);
        assertThat(lines.retry("mail", DeliveryCommand.ALL, NOW)).isEqualTo(2);
        assertThat(timed()).containsExactly(1L, 3L);
        assertThat(table.due("mail", NOW, ALL)).extracting(Delivery::attempts).containsOnly(0);
        assertThat(lines.retry("mail", 1, NOW)).isZero();
        assertThat(lines.retry("audit", DeliveryCommand.ALL, NOW)).isZero();
    }

    @Test
    void aDeadLetterIsDiscardedOnItsOwn() {
        record("a", "b", "c");
        for (long id : List.of(1L, 2L)) {
            lines.update(List.of(new DeliveryUpdate(id, 1, Row.NEVER, "failed")), NOW);
        }
        assertThat(table.removeDead("mail", 3)).isZero();
        assertThat(table.removeDead("mail", 1)).isEqualTo(1);
        assertThat(table.removeDead("mail", DeliveryCommand.ALL)).isEqualTo(1);
        assertThat(timed()).containsExactly(3L);
    }

    @Test
    void whenTheOldestAreTrimmedTheNextOfTheirLinesHaveATime() {
        record("a", "b", "a", "a", "b");
        assertThat(lines.trim("mail", 0, 3, NOW)).isEqualTo(3);
        assertThat(timed()).containsExactly(4L, 5L);
    }

    @Test
    void aTrimThatTakesAParkedDeliveryLeavesTheOneWithTheTime() {
        lines.record("mail", List.of(row("a", 5), row("a", 1), row("a", 2))); // after the clock was set back
        assertThat(lines.trim("mail", 0, 1, NOW)).isEqualTo(1);
        assertThat(timed()).containsExactly(1L);
        assertThat(table.all()).extracting(Delivery::id).containsExactly(1L, 3L);
    }

    @Test
    void aRemovalTakesParkedDeliveriesFirstAndTheSubscriberLast() {
        record("a", "b", "a", "a", "b");
        lines.update(List.of(new DeliveryUpdate(2, 1, Row.NEVER, "failed")), NOW);
        assertThat(lines.remove("mail", 2)).isFalse();
        assertThat(timed()).containsExactly(1L, 5L);
        assertThat(lines.remove("mail", 3)).isFalse();
        assertThat(table.all()).isEmpty();
        assertThat(table.subscribers()).hasSize(1);
        assertThat(lines.remove("mail", 3)).isTrue();
        assertThat(table.subscribers()).isEmpty();
    }

    @Test
    void anErasureTakesParkedDeliveriesFirstAndThenAllOthersOfItsGroups() {
        record("a", "b", "a", "a", "b");
        lines.update(List.of(new DeliveryUpdate(2, 1, Row.NEVER, "failed")), NOW);
        assertThat(table.remove("mail", GroupRange.only("other"), ALL)).isZero();
        assertThat(table.remove("other", GroupRange.ALL, ALL)).isZero();
        assertThat(table.remove("mail", GroupRange.only("group"), 2)).isEqualTo(2);
        assertThat(timed()).containsExactly(1L, 5L);
        assertThat(table.remove("mail", GroupRange.only("group"), ALL)).isEqualTo(3);
        assertThat(table.all()).isEmpty();
        assertThat(table.subscribers()).hasSize(1);
    }

    @Test
    void aCopyOfTheTableChangesOnItsOwn() {
        record("a", "a");
        FakeDeliveryTable copy = table.copy();
        new DeliveryLines(copy).acknowledge(List.of(1L), NOW);
        assertThat(timed()).containsExactly(1L);
        assertThat(copy.due("mail", NOW, ALL)).extracting(Delivery::id).containsExactly(2L);
        long unused = copy.insert("mail", List.of(row("b", 1)));
        assertThat(copy.mark()).isEqualTo(3);
        assertThat(table.mark()).isEqualTo(2);
    }

    private List<Long> timed() {
        return table.all().stream()
                .filter(delivery -> delivery.subscriber().equals("mail"))
                .filter(delivery -> delivery.nextAt() != Row.NEVER && !table.isParked(delivery.id()))
                .map(Delivery::id)
                .toList();
    }

    private void record(String... keys) {
        List<Row> rows = new ArrayList<>();
        for (String key : keys) {
            rows.add(row(key, table.mark() + rows.size() + 1));
        }
        lines.record("mail", rows);
    }

    private static Row row(String key, long expiresAt) {
        return new Row(new RowKey("group", key), new byte[0], 1, 0, 0, expiresAt);
    }
}
