package dev.ttlstore.sqlite;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.Function;

import dev.ttlstore.engine.RowKey;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Gives the rows of an earlier layout their checksums. Each value is read, so it takes some seconds per gigabyte, and the log tells how
 * far it is.
 */
final class ChecksumBackfill {

    private static final Logger log = LoggerFactory.getLogger(ChecksumBackfill.class);

    private static final List<String> TABLES = List.of("entry", "retained", "delivery");

    private static final String SEAL = """
            UPDATE %s SET checksum = checksum_of(grp, key, version, value) WHERE checksum IS NULL
            """;

    private ChecksumBackfill() {}

    /** Gives all rows without a checksum theirs, in the transaction of the session, and {@link SequenceRow} its own. */
    static void run(SqliteSession session) {
        ChecksumOf function = new ChecksumOf(session.errors().location());
        session.withFunction("checksum_of", function, () -> {
            for (String table : TABLES) {
                session.execute(SEAL.formatted(table));
            }
        });
        SequenceRow.seal(session, function.lastVersion);
    }

    /** The checksum of a group, a key, a version and a value. */
    private static final class ChecksumOf extends Function {

        private static final long LOG_NANOS = Duration.ofSeconds(10).toNanos();

        private final String location;
        private long rows;
        private long lastVersion;
        private long lastLog = System.nanoTime();

        private ChecksumOf(String location) {
            this.location = location;
        }

        @Override
        protected void xFunc() throws SQLException {
            long version = value_long(2);
            lastVersion = Math.max(lastVersion, version);
            result(RowChecksum.of(new RowKey(text(0), text(1)), version, EntryColumns.orEmpty(value_blob(3))));
            rows++;
            long now = System.nanoTime();
            if (now - lastLog >= LOG_NANOS) {
                lastLog = now;
                log.info("The values of the store {} get their checksums: {} have theirs", location, rows);
            }
        }

        private String text(int argument) throws SQLException {
            return new String(EntryColumns.orEmpty(value_blob(argument)), UTF_8);
        }
    }
}
