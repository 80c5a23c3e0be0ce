package dev.ttlstore.postgresql;

import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** How a store uses the connection of a transaction that it joins, and which settings of the application stay. */
@Promise({9, 10, 16, 18, 19})
@Tag("postgresql")
class JoinedConnectionTests extends JoinedStore {

    @Test
    void aPoolThatIsFullOfTransactionsDoesNotBlockThem() throws Exception {
        HikariDataSource small = nodes.pool(3, TestServer.dataSource());
        PlainTransactions full = new PlainTransactions(small);
        TextGroup joining = open(small, full).group("group");
        CountDownLatch all = new CountDownLatch(3);
        Thread[] callers = new Thread[3];
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < callers.length; i++) {
            String key = "key" + i;
            callers[i] = new Thread(() -> {
                try {
                    full.run(transaction -> {
                        all.countDown();
                        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
                        assertThat(joining.get(key)).isEmpty();
                        joining.put(key, "value");
                    });
                    done.incrementAndGet();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            callers[i].start();
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(done).hasValue(3);
        assertThat(seen.count()).isEqualTo(3);
    }

    @Test
    void theSettingsOfTheTransactionAreRestored() throws Exception {
        transactions.run(transaction -> {
            transaction.execute("SET LOCAL lock_timeout = '7s'");
            group.put("key", "value");
            transaction.beforeCommit();
            try (Statement statement = transaction.connection().createStatement();
                    ResultSet result = statement.executeQuery("SELECT current_setting('lock_timeout'),"
                            + " current_setting('enable_seqscan'), current_setting('enable_bitmapscan'),"
                            + " current_setting('plan_cache_mode')")) {
                result.next();
                assertThat(List.of(result.getString(1), result.getString(2), result.getString(3), result.getString(4)))
                        .containsExactly("7s", "on", "on", "auto");
            }
        });
    }

    @Test
    void aLimitOfTheApplicationForItsTransactionStays() throws Exception {
        assumeTrue(TestServer.limitsTransactions(), "the server has no limit for a transaction");
        for (String limit : List.of("0", "9s", "1d")) {
            transactions.run(transaction -> {
                transaction.execute("SET LOCAL transaction_timeout = '" + limit + "'");
                group.put("key", "value");
                transaction.beforeCommit();
                try (Statement statement = transaction.connection().createStatement();
                        ResultSet result = statement.executeQuery("SHOW transaction_timeout")) {
                    result.next();
                    assertThat(result.getString(1)).isEqualTo(limit);
                }
            });
        }
    }
}
