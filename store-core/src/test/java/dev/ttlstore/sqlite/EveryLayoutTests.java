package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.NewerStoreException;
import dev.ttlstore.expiry.ExpirySubscriber;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A file of each layout that there has been, as it was written then. They must never change. */
@Promise({9, 21})
class EveryLayoutTests {

    /** When all files were written: a millisecond before one of their entries expires. */
    private static final Instant WRITTEN = Instant.ofEpochMilli(1_700_000_000_000L);

    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    @TempDir
    Path folder;

    static List<Integer> layouts() {
        return IntStream.rangeClosed(1, Layouts.VERSION).boxed().toList();
    }

    private Path file(int layout) throws IOException {
        Path file = folder.toRealPath().resolve("store.db");
        String name = "/layouts/layout-" + layout + ".db.gz";
        try (InputStream packed = requireNonNull(getClass().getResourceAsStream(name), name);
                InputStream content = new GZIPInputStream(packed)) {
            Files.copy(content, file);
        }
        return file;
    }

    private static Store open(Path file) {
        return Store.builder()
                .path(file)
                .clock(InstantSource.fixed(WRITTEN))
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .open();
    }

    private static void hasWhatWasWritten(Store store, int layout) {
        TextGroup group = store.group("group");
        assertThat(group.getAll()).isEqualTo(Map.of("permanent", "value", "expiring", "until 2100", "expired", "gone"));
        Entry<String> expiring = group.entry("expiring").orElseThrow();
        assertThat(expiring.expiresAt()).isEqualTo(LATER);
        assertThat(expiring.createdAt()).isEqualTo(WRITTEN.minusSeconds(1));
        assertThat(expiring.updatedAt()).isEqualTo(WRITTEN);
        assertThat(store.scope("acme").group("group").get("schlüssel")).contains("Wörter");
        assertThat(store.expiring(WRITTEN, WRITTEN.plusSeconds(1)))
                .singleElement()
                .satisfies(entry -> assertThat(entry.key()).isEqualTo("expired"));
        assertThat(store.stats().retained()).isEqualTo(layout >= 2 ? 1 : 0);
        List<ExpirySubscriber> subscribers = store.expirySubscribers();
        if (layout >= 4) {
            assertThat(subscribers).singleElement().satisfies(subscriber -> {
                assertThat(subscriber.name()).isEqualTo("mailer");
                assertThat(subscriber.pending()).isEqualTo(1);
            });
        } else {
            assertThat(subscribers).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void aFileOfEachLayoutOpensWithAllThatItHas(int layout) throws IOException, SQLException {
        Path file = file(layout);
        try (Store store = open(file)) {
            hasWhatWasWritten(store, layout);
            assertThat(store.group("group").put("new", "value")).isGreaterThan(12);
            store.check();
        }
        try (Store store = open(file)) {
            assertThat(store.group("group").get("new")).contains("value");
            assertThat(store.group("group").delete("new")).isTrue();
            hasWhatWasWritten(store, layout);
        }
        assertThat(Sql.query(file, "PRAGMA user_version")).containsExactly(String.valueOf(Layouts.VERSION));
        assertThat(Sql.query(file, "PRAGMA integrity_check")).containsExactly("ok");
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void aFileOfEachLayoutCanBeCopiedAndRestored(int layout) throws IOException, SQLException {
        Path file = file(layout);
        Path copy = file.resolveSibling("copy.db");
        StoreCopy.from(Sqlite.file(file))
                .to(Sqlite.file(copy))
                .clock(InstantSource.fixed(WRITTEN))
                .run();
        try (Store store = open(copy)) {
            hasWhatWasWritten(store, layout);
        }
        Path lost = file.resolveSibling("lost.db");
        Sql.run(file, "PRAGMA wal_checkpoint(TRUNCATE)");
        try (Store store = Store.builder()
                .engine(Sqlite.file(lost).restoreFrom(file))
                .clock(InstantSource.fixed(WRITTEN))
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .open()) {
            hasWhatWasWritten(store, layout);
            assertThat(store.group("group").put("new", "value")).isGreaterThan(1_000_000_000);
        }
    }

    /** In another order, because SQLite adds columns at the end. */
    @ParameterizedTest
    @MethodSource("layouts")
    void aMigratedFileHasTheColumnsAndIndexesOfANewOne(int layout) throws IOException, SQLException {
        Path created = folder.toRealPath().resolve("new.db");
        open(created).close();
        Path file = file(layout);
        open(file).close();
        for (String query :
                List.of("""
                SELECT entity.name || ' ' || field.name || ' ' || field.type || field."notnull" || field.pk
                  FROM sqlite_schema AS entity, pragma_table_info(entity.name) AS field
                 WHERE entity.type = 'table'
                 ORDER BY 1
                """, "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1")) {
            assertThat(Sql.query(file, query))
                    .isEqualTo(Sql.query(created, query))
                    .hasSizeGreaterThan(5);
        }
    }

    @Test
    void aFileOfALaterLayoutIsRefusedAndStaysAsItIs() throws IOException, SQLException {
        Path file = file(Layouts.VERSION);
        int later = Layouts.VERSION + 1;
        Sql.run(file, "PRAGMA user_version = " + later);
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(NewerStoreException.class)
                .isThrownBy(() -> open(file))
                .withMessageContaining("" + later);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }
}
