package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Dump;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.MovableClock;

/** A store's file with a random history, and ways to damage it. */
final class DamagedFile {

    static final int PAGE = 4_096;

    private static final int CHANGES = 3_000;

    private static final int BRIEF_SEED = 1;

    /** The file, and what an engine leaves beside it. */
    private static final List<String> SUFFIXES = List.of("", ".lock", ".reserve");

    /** By the seed, what was made of it. */
    private static final Map<Integer, Map<String, byte[]>> MADE = new ConcurrentHashMap<>();

    private final Path file;
    private final MovableClock clock = new MovableClock();

    private DamagedFile(Path file) {
        this.file = file;
    }

    /** Runs statements, and gives rows that have no checksum theirs. */
    static void run(Path file, String... statements) throws SQLException {
        Sql.run(file, statements);
        seal(file);
    }

    /** Gives rows that have no checksum theirs. */
    static void seal(Path file) {
        try (SqliteSession session = SqliteSession.open(SqliteFiles.url(file), new SqliteErrors(file.toString()))) {
            session.inTransaction(() -> {
                ChecksumBackfill.run(session);
                return true;
            });
        }
    }

    /** Makes a file one of layout 8, which had no checksums. */
    static void makeEarlier(Path file) throws SQLException {
        Sql.run(
                file,
                "ALTER TABLE entry DROP COLUMN checksum",
                "ALTER TABLE retained DROP COLUMN checksum",
                "ALTER TABLE delivery DROP COLUMN checksum",
                "ALTER TABLE mark DROP COLUMN checksum",
                "PRAGMA user_version = " + (Layouts.SEALED - 1));
    }

    /**
     * Makes a file of a store that is closed: entries that expire and others, also of namespaces, retained ones, and deliveries.
     * A brief build has one such history, of which each test gets a copy.
     *
     * @param seed leads to a history
     */
    static DamagedFile create(Path file, int seed) throws SQLException, IOException {
        DamagedFile created = new DamagedFile(file);
        Random random = new Random(Effort.of(BRIEF_SEED, seed));
        Map<String, byte[]> made = MADE.get(Effort.of(BRIEF_SEED, seed));
        if (made == null) {
            created.fill(random);
            MADE.put(Effort.of(BRIEF_SEED, seed), created.read());
        } else {
            created.write(made);
        }
        created.clock.set(MovableClock.START.plusMillis(CHANGES));
        return created;
    }

    private void fill(Random random) throws SQLException {
        try (Store store = Store.builder()
                .path(file)
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .retention(Duration.ofDays(100))
                .open()) {
            for (int i = 0; i < CHANGES; i++) {
                change(store, random);
            }
            store.purgeExpired();
        }
        run(
                file,
                "INSERT INTO subscriber (name, groups_from) VALUES ('mailer', '')",
                delivery("mailer", "key-1", 1, "1000"),
                delivery("mailer", "key-1", 2, Long.toString(Layouts.PARKED)),
                delivery("mailer", "key-2", 3, "NULL"));
    }

    private Map<String, byte[]> read() throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        for (String suffix : SUFFIXES) {
            Path each = file.resolveSibling(file.getFileName() + suffix);
            if (Files.exists(each)) {
                files.put(suffix, Files.readAllBytes(each));
            }
        }
        return files;
    }

    private void write(Map<String, byte[]> files) throws IOException {
        for (Map.Entry<String, byte[]> each : files.entrySet()) {
            Files.write(file.resolveSibling(file.getFileName() + each.getKey()), each.getValue());
        }
    }

    private void change(Store store, Random random) {
        TextGroup group = (random.nextBoolean() ? store : store.scope("acme")).group("group-" + random.nextInt(4));
        String key = "key-" + random.nextInt(1_500);
        String value = "x".repeat(random.nextInt(50) == 0 ? 9_000 : random.nextInt(400));
        switch (random.nextInt(8)) {
            case 0 -> group.delete(key);
            case 1 -> group.put(key, value, Duration.ofMillis(1 + random.nextInt(50)));
            case 2, 3 -> group.put(key, value, Duration.ofDays(1 + random.nextInt(50)));
            default -> group.put(key, value);
        }
        clock.advance(Duration.ofMillis(1));
    }

    /** An insertion of a delivery of an entry of the first group. */
    static String delivery(String subscriber, String key, int version, String nextAt) {
        return "INSERT INTO delivery (subscriber, grp, key, version, expires_at, attempts, next_at, value) VALUES ('"
                + subscriber + "', 'group-0', '" + key + "', " + version + ", 1000, 0, " + nextAt + ", x'00')";
    }

    Path file() {
        return file;
    }

    /** Everything in the store, as lines. */
    List<String> dump() {
        return Dump.of(Sqlite.file(file), clock);
    }

    /** Runs statements while an index of a file does not know of it. */
    static void behind(Path file, String index, String... statements) throws SQLException {
        List<String> sql = Sql.query(file, "SELECT sql FROM sqlite_schema WHERE name = '" + index + "'");
        List<String> root = Sql.query(file, "SELECT rootpage FROM sqlite_schema WHERE name = '" + index + "'");
        Sql.run(file, "PRAGMA writable_schema = 1", "DELETE FROM sqlite_schema WHERE name = '" + index + "'");
        Sql.run(file, statements);
        Sql.run(
                file,
                "PRAGMA writable_schema = 1",
                "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('index', '" + index
                        + "', 'entry', " + root.get(0) + ", '" + sql.get(0) + "')");
    }

    /** Changes entries in ways that their table does not allow, and of which the index of names does not know. */
    static void change(Path file, String... statements) throws SQLException {
        String table = "UPDATE sqlite_schema SET sql = %s WHERE name = 'entry'";
        List<String> rules = Sql.query(file, "SELECT sql FROM sqlite_schema WHERE name = 'entry'");
        Sql.run(
                file,
                "PRAGMA writable_schema = 1",
                table.formatted("replace(replace(sql, 'NOT NULL', ''), 'STRICT', '')"));
        behind(file, "entry_name", statements);
        Sql.run(file, "PRAGMA writable_schema = 1", table.formatted("'" + rules.get(0) + "'"));
    }

    /** Pages of a table or an index of some kind: "leaf" or "internal". */
    List<Integer> pages(String name, String kind) throws SQLException {
        return Sql.query(file, "SELECT pageno FROM dbstat WHERE name = '" + name + "' AND pagetype = '" + kind + "'")
                .stream()
                .map(Integer::valueOf)
                .toList();
    }

    /** Overwrites a page. */
    void destroy(int page) throws IOException {
        byte[] garbage = new byte[PAGE];
        Arrays.fill(garbage, (byte) 0xA5);
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek((page - 1L) * PAGE);
            bytes.write(garbage);
        }
    }

    /** Cuts the file off. */
    void cut(long length) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(length);
        }
    }
}
