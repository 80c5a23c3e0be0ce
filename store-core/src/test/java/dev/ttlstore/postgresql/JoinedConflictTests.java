package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.TransactionConflictException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Changes of others during a transaction of the application: which are conflicts, and when others wait. */
@Promise({9, 10, 16, 18, 19})
@Tag("postgresql")
class JoinedConflictTests extends JoinedStore {

    @Test
    void whatWasReadAndChangedByOthersIsAConflict() throws Exception {
        String orders = table();
        group.put("key", "before");
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    transaction.execute("INSERT INTO " + orders + " VALUES (1)");
                    group.put("copy", group.get("key").orElseThrow());
                    seen.put("key", "changed");
                }))
                .isInstanceOf(TransactionConflictException.class)
                .hasMessageContaining("A row of the group 'group' has changed")
                .hasMessageContaining("Run the whole transaction again");
        assertThat(group.get("copy")).isEmpty();
        assertThat(count(orders)).isZero();
    }

    @Test
    void rangesThatWereReadAndChangedByOthersAreAConflict() {
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    group.put("count", Long.toString(group.count()));
                    seen.put("another", "value");
                }))
                .isInstanceOf(TransactionConflictException.class);
        assertThat(group.keys()).containsExactly("another");
    }

    @Test
    void nothingIsLockedAndOthersAreNoConflictUntilTheCommit() throws Exception {
        transactions.run(transaction -> {
            group.put("key", "value");
            for (int i = 0; i < 20; i++) {
                seen.put("other" + i, "value"); // the same slot
            }
        });
        assertThat(group.count()).isEqualTo(21);
        assertThat(group.entry("key").orElseThrow().version())
                .isGreaterThan(group.entry("other19").orElseThrow().version());
    }

    @Test
    void whatWasOnlyReadIsNoConflictAndTakesNoLock() throws Exception {
        group.put("key", "before");
        transactions.run(transaction -> {
            assertThat(group.get("key")).contains("before");
            seen.put("key", "changed");
            assertThat(group.get("key")).contains("before");
            transaction.beforeCommit();
            seen.put("key", "again");
        });
        assertThat(group.get("key")).contains("again");
    }

    @Test
    void slotsAreLockedFromTheFlushToTheCommit() throws Exception {
        Assumptions.assumeFalse(TestServer.isDistributed(), "rows are locked there");
        transactions.run(transaction -> {
            group.put("key", "value");
            assertThat(TestServer.hasLock(nodes.schema(), true)).isFalse();
            transaction.beforeCommit();
            assertThat(TestServer.hasLock(nodes.schema(), true)).isTrue();
        });
        assertThat(TestServer.hasLock(nodes.schema(), true)).isFalse();
    }

    @Test
    void aDeadlockWithRowsOfTheApplicationIsAConflict() throws Exception {
        String orders = table();
        execute("INSERT INTO " + orders + " VALUES (1)");
        PlainTransactions patient = new PlainTransactions(pool);
        TextGroup waiting = nodes.open(PostgreSql.on(pool)
                        .timeouts(new Timeouts(Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(5)))
                        .notifications(false)
                        .joining(patient))
                .group("group");
        CountDownLatch both = new CountDownLatch(2);
        AtomicInteger conflicts = new AtomicInteger();
        Thread slotFirst = new Thread(() -> counting(
                conflicts,
                () -> patient.run(transaction -> {
                    waiting.put("a", "value");
                    transaction.beforeCommit();
                    both.countDown();
                    both.await();
                    transaction.execute("UPDATE " + orders + " SET n = n + 1");
                })));
        Thread rowFirst = new Thread(() -> counting(
                conflicts,
                () -> patient.run(transaction -> {
                    transaction.execute("UPDATE " + orders + " SET n = n + 1");
                    waiting.put("b", "value");
                    both.countDown();
                    both.await();
                })));
        slotFirst.start();
        rowFirst.start();
        slotFirst.join();
        rowFirst.join();
        assertThat(conflicts).hasValue(1);
        assertThat(waiting.count()).isEqualTo(1);
    }

    /** Work that may throw. */
    private interface Throwing {
        void run() throws Exception;
    }

    /** Runs work, and returns false if it met a conflict, and counts that. */
    private static boolean counting(AtomicInteger conflicts, Throwing work) {
        try {
            work.run();
            return true;
        } catch (TransactionConflictException e) {
            conflicts.incrementAndGet();
        } catch (SQLException e) {
            if (!"40P01".equals(e.getSQLState())) {
                throw new IllegalStateException(e);
            }
            conflicts.incrementAndGet();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return false;
    }

    @Test
    void noUpdateIsLostBetweenTransactionsAndOtherWrites() throws Exception {
        String orders = table();
        int times = Effort.of(10, 25);
        AtomicInteger conflicts = new AtomicInteger();
        AtomicInteger unexpected = new AtomicInteger();
        Thread[] callers = new Thread[4];
        for (int i = 0; i < callers.length; i++) {
            int id = i;
            Throwing once = i % 2 == 0
                    ? () -> other.counters("counters").increment("counter")
                    : () -> transactions.run(transaction -> {
                        transaction.execute("INSERT INTO " + orders + " VALUES (" + id + ")"
                                + " ON CONFLICT (id) DO UPDATE SET n = orders.n + 1");
                        store.counters("counters").increment("counter");
                    });
            callers[i] = new Thread(() -> {
                for (int done = 0; done < times; ) {
                    try {
                        done += counting(conflicts, once) ? 1 : 0;
                    } catch (RuntimeException e) {
                        unexpected.incrementAndGet();
                        throw e;
                    }
                }
            });
        }
        for (Thread caller : callers) {
            caller.start();
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(unexpected).hasValue(0);
        assertThat(other.counters("counters").get("counter")).hasValue((long) callers.length * times);
    }
}
