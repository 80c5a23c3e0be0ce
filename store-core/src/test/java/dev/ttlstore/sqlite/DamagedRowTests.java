package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.junit.jupiter.api.Test;

import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreCorruptedException;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.RepairReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Rows that SQLite cannot write or does not read in full. */
@Promise(23)
class DamagedRowTests extends ChecksummedFile {

    /** As with a name whose type was changed: SQLite refuses to change such a row. */
    @Test
    void aWriteToARowThatItsTableDoesNotAllowSaysThatItIsDamaged() throws SQLException {
        write(store -> store.group("group").put("secret-key", "value"));
        DamagedFile.change(file, "UPDATE entry SET key = CAST('secret-key' AS BLOB)");
        write(store -> {
            List<Function<TextGroup, Object>> calls = List.of(
                    named -> named.put("secret-key", "new"),
                    named -> named.getAndPut("secret-key", "new"),
                    named -> named.replace("secret-key", "value", "new"),
                    named -> named.update("secret-key", value -> value + "!"),
                    named -> named.expire("secret-key", TTL));
            for (Function<TextGroup, Object> call : calls) {
                assertThatExceptionOfType(StoreCorruptedException.class)
                        .isThrownBy(() -> call.apply(store.group("group")))
                        .withMessageContaining("repair")
                        .satisfies(e -> assertThat(e.toString()).doesNotContain("secret-key"));
            }
            assertThat(store.group("group").put("other", "value")).isPositive();
        });
        assertThat(Sqlite.file(file).repair(progress -> {}).complete()).isTrue();
        write(store ->
                assertThat(store.group("group").getAll()).isEqualTo(Map.of("secret-key", "value", "other", "value")));
    }

    /** SQLite reads such a row as one without content. */
    @Test
    void aRowWhoseHeaderIsLostIsNotReadAsAnEmptyValue() throws SQLException, IOException {
        for (boolean migrated : List.of(true, false)) {
            file = folder.resolve("store-" + migrated + ".db");
            write(store -> {
                store.group("group-name").put("other", "value");
                store.group("group-name").put("secret-key", "value");
            });
            if (migrated) {
                DamagedFile.makeEarlier(file);
                write(store -> {});
            }
            loseHeader("group-namesecret-key", 12);
            write(store -> {
                TextGroup group = store.group("group-name");
                List<Function<TextGroup, Object>> calls = List.of(
                        named -> named.get("secret-key"),
                        TextGroup::getAll,
                        named -> named.entries(KeyRange.all()).toList(),
                        named -> named.put("secret-key", "new"),
                        named -> named.update("secret-key", value -> value + "!"));
                for (Function<TextGroup, Object> call : calls) {
                    assertThatExceptionOfType(StoreCorruptedException.class).isThrownBy(() -> call.apply(group));
                }
                assertThat(group.get("other")).contains("value");
                assertThat(store.verify().findings())
                        .filteredOn(finding -> "secret-key".equals(finding.key()))
                        .extracting(Finding::kind)
                        .containsExactly(Finding.Kind.STRUCTURE);
            });
            assertThat(Sqlite.file(file).repair(progress -> {}).moved()).isEqualTo(1);
            write(store -> assertThat(store.group("group-name").getAll()).containsOnlyKeys("other"));
        }
    }

    @Test
    void aDeliveryOrASubscriberWhoseHeaderIsLostIsDamage() throws SQLException, IOException {
        for (String lost : List.of("the-mailergroup", "the-mailergroupsecret-key")) {
            file = folder.resolve(lost + ".db");
            try (Store store = keeping().open()) {
                store.onExpired("the-mailer", "group", expired -> {}).close();
                store.group("group").put("secret-key", "changed", TTL);
                store.group("group").put("later", "value", TTL.multipliedBy(2));
                clock.advance(TTL);
                store.purgeExpired();
            }
            boolean subscriber = !lost.endsWith("key");
            loseHeader(lost, subscriber ? 5 : 12);
            clock.advance(TTL);
            try (Store store = keeping().open()) {
                if (subscriber) { // otherwise its deliveries would be lost
                    assertThatExceptionOfType(StoreCorruptedException.class).isThrownBy(store::purgeExpired);
                    assertThatExceptionOfType(StoreCorruptedException.class).isThrownBy(store::expirySubscribers);
                } else {
                    assertThat(store.purgeExpired()).isEqualTo(1);
                }
                assertThat(store.verify().isSound()).isFalse();
            }
            RepairReport report = Sqlite.file(file).repair(progress -> {});
            assertThat(report.moved()).isEqualTo(subscriber ? 2 : 1);
            try (Store store = keeping().open()) {
                assertThat(store.expirySubscribers()).hasSize(subscriber ? 0 : 1);
            }
        }
    }

    /** Overwrites the length of the header of the row whose first texts are these. */
    private void loseHeader(String texts, int headerBytes) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        String content = new String(bytes, StandardCharsets.ISO_8859_1);
        int lost = 0;
        for (int at = content.indexOf(texts); at >= 0; at = content.indexOf(texts, at + 1)) {
            if (bytes[at - headerBytes] == headerBytes) {
                bytes[at - headerBytes] = 0;
                lost++;
            }
        }
        assertThat(lost).isPositive();
        Files.write(file, bytes);
    }
}
