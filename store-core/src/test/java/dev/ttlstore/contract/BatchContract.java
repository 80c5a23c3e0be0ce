package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Writes to several groups that are made together, or not at all. */
@Promise({8, 10})
abstract class BatchContract extends ContractArea {

    private static final Expiry HOUR = Expiry.after(Duration.ofHours(1));

    private TextGroup carts() {
        return store().group("carts");
    }

    private TextGroup orders() {
        return store().group("orders");
    }

    private long version(String cart) {
        return carts().entry(cart).orElseThrow().version();
    }

    @Test
    void writesToSeveralGroupsAreOneCommit() {
        carts().put("anna", "bread");
        carts().put("ben", "milk");
        Counters numbers = store().counters("numbers");
        Recorder recorder = record();
        assertThat(store().batch()
                        .put(orders(), "1", "bread", HOUR)
                        .delete(carts(), "anna")
                        .delete(carts(), "nobody")
                        .expire(carts(), "ben", HOUR)
                        .expire(carts(), "nobody", HOUR)
                        .put(numbers, "orders", 7L, Expiry.never())
                        .write())
                .isTrue();
        assertThat(carts().keys()).containsExactly("ben");
        assertThat(carts().entry("ben").orElseThrow().ttl()).isEqualTo(Duration.ofHours(1));
        assertThat(orders().get("1")).contains("bread");
        assertThat(numbers.get("orders")).contains(7L);
        assertThat(recorder.events(EntryPut.class))
                .extracting(EntryPut::group)
                .containsExactlyInAnyOrder("orders", "numbers");
        assertThat(recorder.events(EntryDeleted.class))
                .extracting(EntryDeleted::key)
                .containsExactly("anna");
        assertSequenceRises(recorder.events());
        advanceMillis(3_600_000);
        assertThat(orders().get("1")).isEmpty();
        assertThat(carts().contains("ben")).isFalse();
    }

    @Test
    void nothingIsWrittenIfAConditionDoesNotHold() {
        carts().put("anna", "bread");
        long before = version("anna");
        carts().put("anna", "bread and milk");
        carts().put("late", "milk", Duration.ofMillis(5));
        advanceMillis(5);
        Recorder recorder = record();
        List<WriteBatch> refused = List.of(
                order().requireVersion(carts(), "anna", before),
                order().requireVersion(carts(), "nobody", before),
                order().requireAbsent(carts(), "anna"),
                order().requirePresent(carts(), "nobody"),
                order().requirePresent(carts(), "late"),
                order().requirePresent(carts(), "anna").requireAbsent(carts(), "anna"));
        refused.forEach(batch -> assertThat(batch.write()).isFalse());
        assertThat(orders().count()).isZero();
        assertThat(carts().get("anna")).contains("bread and milk");
        assertThat(recorder.events()).allMatch(EntryExpired.class::isInstance);
        assertThat(order().requireVersion(carts(), "anna", version("anna"))
                        .requireAbsent(carts(), "late")
                        .requirePresent(carts(), "anna")
                        .write())
                .isTrue();
        assertThat(orders().get("1")).contains("bread");
    }

    /** Takes the cart and makes an order, without a condition. */
    private WriteBatch order() {
        return store().batch().delete(carts(), "anna").put(orders(), "1", "bread", HOUR);
    }

    @Test
    void conditionsConcernTheStoreAsItWasBefore() {
        assertThat(store().batch()
                        .put(carts(), "anna", "bread", HOUR)
                        .requireAbsent(carts(), "anna")
                        .write())
                .isTrue();
        assertThat(carts().get("anna")).contains("bread");
    }

    @Test
    void aLaterWriteSeesTheEarlierOne() {
        assertThat(store().batch()
                        .put(carts(), "anna", "bread", HOUR)
                        .put(carts(), "anna", "milk", Expiry.keep())
                        .delete(carts(), "anna", "bread")
                        .put(carts(), "ben", "bread", HOUR)
                        .delete(carts(), "ben", "bread")
                        .write())
                .isTrue();
        assertThat(carts().getAll()).containsOnlyKeys("anna").containsEntry("anna", "milk");
        assertThat(carts().entry("anna").orElseThrow().ttl()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void anExpectedValueThatIsNotThereStopsNoOtherWrite() {
        carts().put("anna", "bread");
        assertThat(store().batch()
                        .delete(carts(), "anna", "milk")
                        .put(orders(), "1", "bread", HOUR)
                        .write())
                .isTrue();
        assertThat(carts().get("anna")).contains("bread");
        assertThat(orders().get("1")).contains("bread");
    }

    @Test
    void aBatchCanBeWrittenAgainAndAnEmptyOneChangesNothing() {
        Recorder recorder = record();
        assertThat(store().batch().write()).isTrue();
        assertThat(recorder.events()).isEmpty();
        WriteBatch batch = store().batch().put(carts(), "anna", "bread", HOUR);
        assertThat(batch.write()).isTrue();
        assertThat(batch.requireAbsent(carts(), "anna").write()).isFalse();
        assertThat(recorder.events(EntryPut.class)).hasSize(1);
    }

    @Promise(18)
    @Test
    void aBatchThatExceedsAQuotaWritesNothing() {
        Scope acme = store().scope("acme", new Quota(2, 0, 0));
        TextGroup limited = acme.group("carts");
        limited.put("a", "bread");
        WriteBatch batch = store().batch()
                .put(orders(), "1", "bread", HOUR)
                .put(limited, "b", "bread", HOUR)
                .put(limited, "c", "bread", HOUR);
        assertThatExceptionOfType(QuotaExceededException.class).isThrownBy(batch::write);
        assertThat(orders().count()).isZero();
        assertThat(limited.keys()).containsExactly("a");
        assertThat(acme.batch()
                        .delete(limited, "a")
                        .put(limited, "b", "bread", HOUR)
                        .put(limited, "c", "bread", HOUR)
                        .write())
                .isTrue();
        assertThat(limited.keys()).containsExactly("b", "c");
        assertThat(acme.usage().keys()).isEqualTo(2);
    }

    @Test
    void ofManyBatchesThatRequireTheSameVersionOneIsWritten() {
        for (int round = 0; round < 5; round++) {
            carts().put("anna", "bread");
            orders().clear();
            long version = version("anna");
            List<Boolean> written = Threads.together(16, thread -> store().batch()
                    .requireVersion(carts(), "anna", version)
                    .delete(carts(), "anna")
                    .put(orders(), "by " + thread, "bread", HOUR)
                    .write());
            assertThat(written).containsOnlyOnce(true);
            assertThat(orders().count()).isEqualTo(1);
        }
    }

    @Test
    void aBatchIsWrittenAsynchronouslyAsItWasThen() {
        WriteBatch batch = store().batch().put(carts(), "anna", "bread", HOUR);
        CompletableFuture<Boolean> written = batch.writeAsync();
        batch.put(carts(), "ben", "milk", HOUR);
        assertThat(written.join()).isTrue();
        assertThat(carts().keys()).containsExactly("anna");
        assertThat(batch.requireAbsent(carts(), "anna").writeAsync().join()).isFalse();
    }

    @Test
    void aBatchOfATransactionBelongsToIt() {
        assertThatIllegalStateException().isThrownBy(() -> store().transactWithoutResult(tx -> {
            TextGroup carts = tx.group("carts");
            assertThat(tx.batch()
                            .requireAbsent(carts, "anna")
                            .put(carts, "anna", "bread", HOUR)
                            .write())
                    .isTrue();
            assertThat(tx.batch()
                            .requireAbsent(carts, "anna")
                            .delete(carts, "anna")
                            .write())
                    .isFalse();
            assertThat(carts.get("anna")).contains("bread");
            assertThatIllegalStateException().isThrownBy(tx.batch()::writeAsync);
            throw new IllegalStateException("rolls back");
        }));
        assertThat(carts().count()).isZero();
        store().transactWithoutResult(tx -> {
            boolean unused = tx.batch()
                    .put(tx.group("carts"), "anna", "bread", HOUR)
                    .put(tx.group("orders"), "1", "bread", HOUR)
                    .write();
        });
        assertThat(carts().get("anna")).contains("bread");
        assertThat(orders().get("1")).contains("bread");
    }

    @Test
    void badArgumentsAreRefusedWhenTheyAreAdded() {
        WriteBatch batch = store().batch().put(orders(), "1", "bread", HOUR);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> batch.put(carts(), "", "bread", HOUR))
                .withMessageContaining("'key'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> batch.requireAbsent(carts(), "a\0b"))
                .withMessageContaining("'key'");
        assertThatNullPointerException()
                .isThrownBy(() -> batch.put(carts(), "anna", nothing(), HOUR))
                .withMessageContaining("'value'");
        assertThatNullPointerException()
                .isThrownBy(() -> batch.put(carts(), "anna", "bread", nothing()))
                .withMessageContaining("'expiry'");
        assertThatNullPointerException()
                .isThrownBy(() -> batch.delete(nothing(), "anna"))
                .withMessageContaining("'group'");
        try (Store other = Store.builder().inMemory().open()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> batch.delete(other.group("carts"), "anna"))
                    .withMessageContaining("'group' must come from the store, scope or transaction of the batch");
        }
        TextGroup outside = carts();
        store().transactWithoutResult(tx -> assertThatIllegalArgumentException()
                .isThrownBy(() -> tx.batch().delete(outside, "anna"))
                .withMessageContaining("'group'"));
        assertThat(batch.write()).isTrue();
        assertThat(orders().keys()).containsExactly("1");
        assertThat(carts().count()).isZero();
    }
}
