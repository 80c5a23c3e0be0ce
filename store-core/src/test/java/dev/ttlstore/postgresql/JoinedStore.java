package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.StoreEvent;

import static java.util.Objects.requireNonNull;

/** A store that joins the transactions of an application, and another on the same schema that sees what is committed. */
abstract class JoinedStore {

    /** A busy machine may need a second between two statements of a transaction. */
    private static final Timeouts LIMITS = new Timeouts(Nodes.LIMITS.lock(), Nodes.PATIENCE, Nodes.LIMITS.outcome());

    final Nodes nodes = new Nodes();
    final HikariDataSource pool = nodes.pool(4, TestServer.dataSource());
    final PlainTransactions transactions = new PlainTransactions(pool);
    final Store store = open(pool, transactions);
    final Store other = nodes.open();
    final TextGroup group = store.group("group");
    final TextGroup seen = other.group("group");

    final Store open(HikariDataSource source, PlainTransactions joined) {
        return nodes.open(
                PostgreSql.on(source).timeouts(LIMITS).notifications(false).joining(joined));
    }

    @AfterEach
    final void close() throws Exception {
        nodes.close();
    }

    final BlockingQueue<StoreEvent> events(Store of) {
        BlockingQueue<StoreEvent> events = new LinkedBlockingQueue<>();
        var unused = of.onChange(events::add);
        return events;
    }

    static StoreEvent next(BlockingQueue<StoreEvent> events) throws InterruptedException {
        return requireNonNull(events.poll(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS), "no event");
    }

    /** Makes a table of the application. */
    final String table() throws SQLException {
        String name = "\"" + nodes.schema() + "\".orders";
        execute("CREATE TABLE " + name + " (id integer PRIMARY KEY, n integer NOT NULL DEFAULT 0)");
        return name;
    }

    final void execute(String text) throws SQLException {
        Statements.run(pool, text);
    }

    final long count(String table) throws SQLException {
        return Statements.number(pool, "SELECT count(*) FROM " + table);
    }
}
