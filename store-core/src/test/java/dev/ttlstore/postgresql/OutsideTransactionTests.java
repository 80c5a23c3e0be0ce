package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Expiry;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is read and written outside the transaction of the application in which the thread is. */
@Tag("postgresql")
class OutsideTransactionTests extends JoinedStore {

    private final LiveKeyspace outside = store.outsideTransaction();
    private final TextGroup apart = outside.group("apart");

    private static final class Refusal extends RuntimeException {
        static final long serialVersionUID = 1;
    }

    private void rollBack(PlainTransactions.Work work) {
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    work.run(transaction);
                    throw new Refusal();
                }))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void aWriteIsCommittedWhenItReturnsAndStaysAfterARollback() {
        rollBack(transaction -> {
            group.put("inside", "value");
            apart.put("key", "value");
            assertThat(other.group("apart").get("key")).contains("value");
            assertThat(apart.async().put("later", "value").get(1, TimeUnit.MINUTES))
                    .isPositive();
            assertThat(outside.counters("failures").increment("ann")).isOne();
            outside.transactWithoutResult(tx -> tx.group("apart").put("together", "value"));
            assertThat(outside.batch()
                            .put(apart, "batch", "value", Expiry.never())
                            .write())
                    .isTrue();
        });
        assertThat(other.group("apart").keys()).containsExactly("batch", "key", "later", "together");
        assertThat(other.counters("failures").get("ann")).hasValue(1L);
        assertThat(seen.keys()).isEmpty();
    }

    @Test
    void aReadDoesNotSeeWhatTheTransactionHasWritten() throws Exception {
        transactions.run(transaction -> {
            group.put("key", "value");
            assertThat(outside.group("group").get("key")).isEmpty();
            assertThat(outside.groups()).isEmpty();
            assertThat(group.get("key")).contains("value");
        });
        assertThat(outside.group("group").get("key")).contains("value");
    }

    @Test
    void aTransactionThatOnlyReadsOrIsTooIsolatedDoesNotMatter() throws Exception {
        for (int isolation : List.of(Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_SERIALIZABLE)) {
            for (boolean readOnly : List.of(true, false)) {
                transactions.run(isolation, readOnly, transaction -> apart.put(isolation + " " + readOnly, "value"));
            }
        }
        assertThat(other.group("apart").keys()).hasSize(4);
    }

    @Test
    void aScopeHasItsOwnEntriesOutside() {
        Scope scope = store.scope("acme");
        rollBack(transaction -> {
            LiveKeyspace acme = scope.outsideTransaction();
            acme.group("notes").put("key", "value");
            acme.transactWithoutResult(tx -> tx.group("notes").put("together", "value"));
            scope.group("notes").put("inside", "value");
        });
        assertThat(other.scope("acme").group("notes").keys()).containsExactly("key", "together");
        assertThat(scope.outsideTransaction().outsideTransaction().count()).isEqualTo(2);
    }

    @Test
    void theTransactionGoesOnAfterAFailureOutside() throws Exception {
        transactions.run(transaction -> {
            assertThatThrownBy(() -> outside.transact(tx -> {
                        tx.group("apart").put("key", "value");
                        throw new Refusal();
                    }))
                    .isInstanceOf(Refusal.class);
            group.put("key", "value");
        });
        assertThat(other.groups()).containsExactly("group");
    }

    /** It would wait for its own thread, and keep all others from the slot meanwhile. */
    @Test
    void aWriteThatWouldWaitForItsOwnTransactionIsRefusedAtOnce() throws Exception {
        transactions.run(transaction -> {
            group.put("key", "value");
            outside.group("group").put("before the commit", "value");
            transaction.beforeCommit();
            assertThatThrownBy(() -> outside.group("group").put("key", "other"))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("would wait in vain")
                    .hasMessageContaining("entityManager.flush()");
            assertThatThrownBy(() -> outside.deleteGroup("group")).isInstanceOf(StoreException.class);
            group.put("together", "value");
            apart.put("in another slot", "value");
        });
        assertThat(seen.keys()).containsExactly("before the commit", "key", "together");
        outside.group("group").put("after the commit", "value");
        assertThat(other.group("apart").keys()).containsExactly("in another slot");
    }

    @Test
    void withinAStoresOwnTransactionNothingIsOutside() {
        outside.transactWithoutResult(tx -> {
            assertThatIllegalStateException().isThrownBy(() -> apart.put("key", "value"));
            assertThatIllegalStateException().isThrownBy(outside::groups);
            assertThatIllegalStateException().isThrownBy(() -> outside.transact(other -> true));
        });
        store.close();
        assertThatThrownBy(() -> apart.put("key", "value")).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void aStoreThatJoinsNoTransactionsIsItsOwnOutside() {
        try (Store alone = Store.inMemory()) {
            assertThat((Object) alone.outsideTransaction()).isSameAs(alone);
        }
    }
}
