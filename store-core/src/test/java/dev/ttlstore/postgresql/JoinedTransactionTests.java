package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the store reads and writes in a transaction of the application is part of it: committed and rolled back with it, seen by
 * others and reported only after the commit, and decided by nothing that others have changed meanwhile.
 */
@Promise({9, 10, 16, 18, 19})
@Tag("postgresql")
class JoinedTransactionTests extends JoinedStore {

    private static final Duration TTL = Duration.ofMinutes(10);

    @Test
    void writesAreCommittedWithTheApplicationsRows() throws Exception {
        String orders = table();
        transactions.run(transaction -> {
            transaction.execute("INSERT INTO " + orders + " VALUES (1)");
            group.put("key", "value", TTL);
            assertThat(group.get("key")).contains("value");
            assertThat(group.count()).isEqualTo(1);
            assertThat(store.groups()).containsExactly("group");
            assertThat(group.keys()).containsExactly("key");
            assertThat(seen.get("key")).isEmpty();
        });
        assertThat(seen.get("key")).contains("value");
        assertThat(group.get("key")).contains("value");
        assertThat(count(orders)).isEqualTo(1);
    }

    @Test
    void writesAreRolledBackWithTheApplicationsRows() throws Exception {
        String orders = table();
        group.put("taken", "before");
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    transaction.execute("INSERT INTO " + orders + " VALUES (1)");
                    group.put("key", "value", TTL);
                    assertThat(group.take("taken")).contains("before");
                    assertThat(group.take("taken")).isEmpty();
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        assertThat(group.get("key")).isEmpty();
        assertThat(seen.get("taken")).contains("before");
        assertThat(count(orders)).isZero();
    }

    @Test
    void aLoaderThatAsksForItsOwnKeyIsRefused() {
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    String unused = load();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must not ask for the key");
    }

    private String load() {
        return group.getOrPut("key", TTL, this::load);
    }

    @Test
    void eventsComeAfterTheCommitOnAllNodesAndNeverAfterARollback() throws Exception {
        BlockingQueue<StoreEvent> own = events(store);
        BlockingQueue<StoreEvent> others = events(other);
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    group.put("rolled back", "value");
                    transaction.beforeCommit();
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        transactions.run(transaction -> {
            group.put("a", "1");
            group.put("b", "2");
            group.delete("a");
            transaction.beforeCommit();
            assertThat(own).isEmpty();
        });
        long after = group.put("c", "3");
        for (BlockingQueue<StoreEvent> events : List.of(own, others)) {
            EntryPut first = (EntryPut) next(events);
            assertThat(first.key()).isEqualTo("a");
            EntryPut second = (EntryPut) next(events);
            assertThat(second.key()).isEqualTo("b");
            assertThat(second.version()).isEqualTo(second.sequence());
            assertThat(group.entry("b").orElseThrow().version()).isEqualTo(second.version());
            StoreEvent third = next(events);
            assertThat(third.type()).isEqualTo("delete");
            EntryPut last = (EntryPut) next(events);
            assertThat(last.version()).isEqualTo(after);
            assertThat(List.of(first, second, third, last))
                    .extracting(StoreEvent::sequence)
                    .isSorted();
        }
    }

    @Test
    void theVersionOfAWriteIsProvisionalAndCountsInTheTransaction() throws Exception {
        AtomicInteger checked = new AtomicInteger();
        transactions.run(transaction -> {
            long version = group.put("key", "value");
            assertThat(version).isNegative();
            assertThat(group.replaceVersion("key", version, "second")).isPresent();
            assertThat(group.replaceVersion("key", version, "third")).isEmpty();
            checked.incrementAndGet();
        });
        assertThat(checked).hasValue(1);
        assertThat(group.entry("key").orElseThrow().version()).isPositive();
        assertThat(group.get("key")).contains("second");
    }

    @Test
    void writesAfterTheFlushGoToTheServerAtOnce() throws Exception {
        transactions.run(transaction -> {
            group.put("key", "value");
            transaction.beforeCommit();
            group.put("late", "value");
            group.put("key", "changed");
            assertThat(group.get("late")).contains("value");
            store.transact(tx -> {
                group.put("beside", "value");
                return tx.group("group").put("later", "value");
            });
        });
        assertThat(seen.keys()).containsExactly("beside", "key", "late", "later");
        assertThat(seen.get("key")).contains("changed");
    }

    @Test
    void aTransactionOfTheStoreIsPartOfThatOfTheApplication() throws Exception {
        transactions.run(transaction -> {
            group.put("first", "value");
            assertThatThrownBy(() -> store.transact(tx -> {
                        tx.group("group").put("undone", "value");
                        throw new IllegalArgumentException("no");
                    }))
                    .hasMessage("no");
            String read = store.transact(tx -> {
                tx.group("group").put("second", "value");
                return tx.group("group").get("first").orElseThrow();
            });
            assertThat(read).isEqualTo("value");
            assertThat(seen.count()).isZero();
        });
        assertThat(seen.keys()).containsExactly("first", "second");
    }

    @Test
    void aSuspendedTransactionIsUntouched() throws Exception {
        transactions.run(transaction -> {
            group.put("outer", "value");
            assertThatThrownBy(() -> transactions.run(inner -> {
                        assertThat(group.get("outer")).isEmpty();
                        group.put("rolled back", "value");
                        throw new IllegalArgumentException("no");
                    }))
                    .hasMessage("no");
            transactions.run(inner -> group.put("inner", "value"));
            assertThat(group.get("outer")).contains("value");
        });
        assertThat(seen.keys()).containsExactly("inner", "outer");
    }

    @Test
    void aGroupIsClearedWithTheTransaction() throws Exception {
        group.put("a", "1");
        group.put("b", "2");
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    assertThat(store.deleteGroup("group")).isEqualTo(2);
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");
        assertThat(seen.count()).isEqualTo(2);
        transactions.run(transaction -> {
            assertThat(store.deleteGroup("group")).isEqualTo(2);
            assertThat(group.get("a")).isEmpty();
            group.put("c", "3");
        });
        assertThat(seen.keys()).containsExactly("c");
    }

    @Test
    void theNearCacheForgetsWhatTheTransactionHasChanged() throws Exception {
        PlainTransactions joined = new PlainTransactions(pool);
        TextGroup cached = nodes.open(
                        PostgreSql.on(pool)
                                .timeouts(Nodes.LIMITS)
                                .notifications(false)
                                .joining(joined),
                        builder -> builder.cacheSize(1_000_000))
                .group("cached");
        cached.put("key", "before");
        Awaitility.await().until(() -> cached.get("key").isPresent());
        joined.run(transaction -> {
            cached.put("key", "after");
            assertThat(cached.get("key")).contains("after");
        });
        assertThat(cached.get("key")).contains("after");
    }
}
