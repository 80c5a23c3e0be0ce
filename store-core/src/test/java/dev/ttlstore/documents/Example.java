package dev.ttlstore.documents;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.postgresql.TestServer;

/** What a Java example in a page finds around it: a store in memory, a folder of its own, a clock, a log. */
public abstract class Example {

    protected static final Logger log = LoggerFactory.getLogger(Example.class);

    protected final MovableClock clock = new MovableClock();
    protected final Store store =
            Store.builder().inMemory().clock(clock).cacheSize(0).open();
    protected final List<String> shown = new CopyOnWriteArrayList<>();

    /** Where the files of the example are. */
    protected Path folder = Path.of("");

    private @Nullable String schema;

    /** Executes the example. */
    protected abstract void run() throws Exception;

    final void runIn(Path ownFolder) throws Exception {
        folder = ownFolder;
        try (store) {
            run();
        } finally {
            if (schema != null) {
                TestServer.drop(schema);
            }
        }
    }

    /** What the examples do with an entry. */
    protected final void show(Entry<String> entry) {
        shown.add(entry.value());
    }

    /** What they do with an entry that a watch found. */
    protected final void show(EntryPut entry) {
        shown.add(entry.key());
    }

    /** A schema that no other example uses. */
    protected final String schema() {
        if (schema == null) {
            schema = TestServer.freshSchema();
        }
        return schema;
    }

    /** A server of PostgreSQL. */
    protected static DataSource server() {
        return TestServer.dataSource();
    }
}
