package dev.ttlstore.contract;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Codec;
import dev.ttlstore.Group;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.StoredEntries;
import dev.ttlstore.StoredEntries.Outcome;
import dev.ttlstore.StoredEntry;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.ValueTooLargeException;
import dev.ttlstore.export.ImportResult;
import dev.ttlstore.export.StoreExport;
import dev.ttlstore.export.StoreImport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Entries as they are stored, and their export and import. */
abstract class StoredEntriesContract extends ContractArea {

    private static final int ENTRIES = Effort.of(400, 1_000);

    @TempDir
    Path folder;

    private StoredEntries stored() {
        return store().stored();
    }

    private static StoredEntry entry(String key, String value, Instant created, Instant expiresAt) {
        return new StoredEntry("group", key, value.getBytes(UTF_8), 7, created, created, expiresAt);
    }

    private List<StoredEntry> all() {
        return stored().groups("", "")
                .flatMap(name -> stored().entries(name, ""))
                .toList();
    }

    /** All but the versions. */
    private static List<List<Object>> facts(List<StoredEntry> entries) {
        List<List<Object>> facts = new ArrayList<>();
        for (StoredEntry entry : entries) {
            List<Object> fact = new ArrayList<>(List.of(
                    entry.group(),
                    entry.key(),
                    HexFormat.of().formatHex(entry.value()),
                    entry.createdAt(),
                    entry.updatedAt()));
            fact.add(String.valueOf(entry.expiresAt()));
            facts.add(fact);
        }
        return facts;
    }

    @Test
    @Promise({1, 12})
    void entriesAreListedAsTheyAreStored() {
        Instant start = clock.instant();
        group().put("b", "1");
        group().put("c", "gone", Duration.ofMillis(5));
        advanceMillis(5);
        long version = group().put("b", "2", Duration.ofHours(1));
        group().put("a", "");
        store().scope("acme").group("group").put("x", "y");
        assertThat(stored().groups("", "")).containsExactly("acme:group", "group");
        assertThat(stored().groups("acme:", "")).containsExactly("acme:group");
        assertThat(stored().groups("", "acme:group")).containsExactly("group");
        List<StoredEntry> found = stored().entries("group", "").toList();
        assertThat(found).extracting(StoredEntry::key).containsExactly("a", "b");
        StoredEntry last = found.get(1);
        assertThat(last.version()).isEqualTo(version);
        assertThat(last.value()).isEqualTo("2".getBytes(UTF_8));
        assertThat(last.createdAt()).isEqualTo(start);
        assertThat(last.updatedAt()).isEqualTo(clock.instant());
        assertThat(last.expiresAt()).isEqualTo(clock.instant().plus(Duration.ofHours(1)));
        assertThat(found.get(0).expiresAt()).isNull();
        assertThat(stored().entries("group", "a")).extracting(StoredEntry::key).containsExactly("b");
        assertThat(stored().entry("group", "b")).map(StoredEntry::version).contains(version);
        assertThat(stored().entry("group", "c")).isEmpty();
        assertThat(found).extracting(StoredEntry::toString).noneMatch(text -> text.contains("key"));
    }

    @Test
    @Promise({1, 9, 13})
    void entriesKeepTheirTimesAndGetNewVersions() {
        Instant created = clock.instant().minusSeconds(60);
        Instant end = clock.instant().plusSeconds(60);
        long before = group().put("other", "value");
        Recorder recorder = record();
        assertThat(stored().put(List.of(entry("a", "1", created, end), entry("b", "2", created, created)), false))
                .containsExactly(Outcome.CREATED, Outcome.EXPIRED);
        assertThat(recorder.events(EntryPut.class))
                .extracting(EntryPut::key, EntryPut::created)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("a", true));
        StoredEntry found = stored().entries("group", "").findFirst().orElseThrow();
        assertThat(found.version()).isGreaterThan(before);
        assertThat(found.createdAt()).isEqualTo(created);
        assertThat(found.updatedAt()).isEqualTo(created);
        assertThat(found.expiresAt()).isEqualTo(end);
        assertThat(group().contains("b")).isFalse();
        clock.set(end.minusMillis(1));
        assertThat(group().get("a")).contains("1");
        clock.set(end);
        assertThat(group().get("a")).isEmpty();
        assertThat(store().purgeExpired()).isEqualTo(1);
        assertThat(recorder.events(EntryExpired.class)).hasSize(1);
    }

    @Test
    @Promise({8, 10, 13})
    void whatIsThereIsLeftOrReplacedAsAsked() {
        Instant created = clock.instant().minusSeconds(60);
        Instant end = clock.instant().plusSeconds(60);
        List<StoredEntry> one = List.of(entry("a", "1", created, end));
        assertThat(stored().put(one, false)).containsExactly(Outcome.CREATED);
        long version = group().entry("a").orElseThrow().version();
        Recorder recorder = record();
        assertThat(stored().put(one, true)).containsExactly(Outcome.UNCHANGED);
        assertThat(group().entry("a").orElseThrow().version()).isEqualTo(version);
        List<StoredEntry> other = List.of(entry("a", "2", created, end));
        assertThat(stored().put(other, false)).containsExactly(Outcome.KEPT);
        assertThat(recorder.events()).isEmpty();
        assertThat(stored().put(other, true)).containsExactly(Outcome.REPLACED);
        assertThat(group().get("a")).contains("2");
        assertThat(group().entry("a").orElseThrow().version()).isGreaterThan(version);
        assertThat(recorder.events(EntryPut.class))
                .extracting(EntryPut::created)
                .containsExactly(false);
        advanceMillis(60_000);
        StoredEntry again = entry("a", "3", created, clock.instant().plusSeconds(1));
        assertThat(stored().put(List.of(again), false)).containsExactly(Outcome.CREATED);
        assertThat(group().get("a")).contains("3");
        assertThat(stored().put(List.of(), true)).isEmpty();
    }

    @Test
    @Promise(5)
    void aTimeInTheFutureIsTakenForThePresent() {
        Instant future = clock.instant().plusSeconds(60);
        assertThat(stored().put(List.of(entry("a", "1", future, future.plusSeconds(1))), false))
                .containsExactly(Outcome.CREATED);
        StoredEntry found = stored().entries("group", "").findFirst().orElseThrow();
        assertThat(found.createdAt()).isEqualTo(clock.instant());
        assertThat(found.updatedAt()).isEqualTo(clock.instant());
    }

    @Test
    @Promise({8, 19})
    void aQuotaHolds() {
        Scope scope = store().scope("acme", new Quota(2, 0, 0));
        Instant now = clock.instant();
        List<StoredEntry> three = Stream.of("a", "b", "c")
                .map(key -> new StoredEntry("acme:group", key, new byte[1], 1, now, now, null))
                .toList();
        assertThatExceptionOfType(QuotaExceededException.class).isThrownBy(() -> stored().put(three, false));
        assertThat(scope.count()).isZero();
        assertThat(stored().put(three.subList(0, 2), false)).containsExactly(Outcome.CREATED, Outcome.CREATED);
        assertThat(stored().put(three.subList(0, 2), true)).containsExactly(Outcome.UNCHANGED, Outcome.UNCHANGED);
        assertThat(scope.usage().keys()).isEqualTo(2);
    }

    @Test
    @Promise(12)
    void badEntriesAreRefusedBeforeAnythingIsWritten() {
        open(settings().maxValueSize(10));
        Instant now = clock.instant();
        StoredEntry good = entry("a", "1", now, now.plusSeconds(1));
        List<StoredEntry> bad = List.of(
                new StoredEntry("", "key", new byte[0], 0, now, now, null),
                new StoredEntry("group", "", new byte[0], 0, now, now, null),
                new StoredEntry("group", "nul\0", new byte[0], 0, now, now, null),
                new StoredEntry("group", "key", new byte[0], 0, now, now.minusMillis(1), null),
                new StoredEntry("group", "key", new byte[0], 0, now, now, Instant.MAX));
        for (StoredEntry each : bad) {
            assertThatIllegalArgumentException().isThrownBy(() -> stored().put(List.of(good, each), true));
            assertThatIllegalArgumentException().isThrownBy(() -> stored().check(each));
        }
        StoredEntry large = new StoredEntry("group", "key", new byte[11], 0, now, now, null);
        assertThatExceptionOfType(ValueTooLargeException.class)
                .isThrownBy(() -> stored().put(List.of(good, large), true));
        assertThatExceptionOfType(ValueTooLargeException.class).isThrownBy(() -> stored().check(large));
        assertThatIllegalArgumentException().isThrownBy(() -> stored().entries("", ""));
        assertThatNullPointerException().isThrownBy(() -> stored().put(nothing(), true));
        assertThatNullPointerException().isThrownBy(() -> stored().check(nothing()));
        assertThatNullPointerException().isThrownBy(() -> stored().entries("group", nothing()));
        assertThatNullPointerException().isThrownBy(() -> stored().groups(nothing(), ""));
        assertThatNullPointerException().isThrownBy(() -> stored().entry("group", nothing()));
        assertThatIllegalArgumentException().isThrownBy(() -> stored().entry("group", ""));
        stored().check(good);
        assertThat(store().count()).isZero();
    }

    @Test
    @Promise(22)
    void nothingWorksAfterTheStoreIsClosed() {
        StoredEntries stored = stored();
        Stream<StoredEntry> entries = stored.entries("group", "");
        store().close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> stored.put(List.of(), true));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> stored.groups("", ""));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(entries::toList);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store().stored());
    }

    /** Entries of any bytes and names come back as they were, and once more without a change. */
    @Test
    @Promise({1, 9, 12})
    void whatIsExportedIsImportedAsItWas() throws IOException {
        Random random = new Random(21);
        List<String> names = List.of("a", "b-\"quoted\"", "acme:a", "acme:ü", "\u0001\n\t", "😀");
        for (int i = 0; i < ENTRIES; i++) {
            byte[] value = new byte[random.nextInt(50)];
            random.nextBytes(value);
            boolean text = random.nextBoolean();
            String name = names.get(random.nextInt(names.size()));
            Group<byte[]> group = name.startsWith("acme:")
                    ? store().scope("acme").group(name.substring(5), Codec.bytes())
                    : store().group(name, Codec.bytes());
            String key = names.get(random.nextInt(names.size())) + random.nextInt(100);
            byte[] put = text ? ("t\u0000ext 😀\n" + i).getBytes(UTF_8) : value;
            if (random.nextInt(3) == 0) {
                group.put(key, put);
            } else {
                group.put(key, put, Duration.ofMillis(1 + random.nextInt(2_000)));
            }
            advanceMillis(1);
        }
        List<StoredEntry> before = all();
        assertThat(before).hasSizeGreaterThan(ENTRIES / 4);
        Path file = folder.resolve("all.jsonl");
        assertThat(StoreExport.of(store()).toFile(file).entries()).isEqualTo(before.size());
        assertThat(Files.readAllLines(file)).hasSize(before.size());
        ByteArrayOutputStream scope = new ByteArrayOutputStream();
        long inScope = StoreExport.of(store()).scope("acme").writeTo(scope).entries();
        assertThat(inScope).isEqualTo(store().scope("acme").count()).isPositive();
        long last = before.stream().mapToLong(StoredEntry::version).max().orElseThrow();
        store().deletePrefix("");
        assertThat(store().count()).isZero();
        ImportResult result = StoreImport.into(store()).fromFile(file);
        assertThat(result.created()).isEqualTo(before.size());
        assertThat(facts(all())).isEqualTo(facts(before));
        if (contract().isExclusive()) {
            assertThat(all()).allMatch(entry -> entry.version() > last);
        }
        assertThat(StoreImport.into(store())
                        .replaceExisting(true)
                        .fromFile(file)
                        .unchanged())
                .isEqualTo(before.size());
    }

    @Test
    void encryptedValuesStaySealed() throws IOException {
        open(settings().encrypt(name -> name.equals("group"), new AesGcm(1)));
        group().put("key", "secret");
        Path file = folder.resolve("sealed.jsonl");
        assertThat(StoreExport.of(store()).group("group").toFile(file).entries())
                .isEqualTo(1);
        assertThat(Files.readString(file)).doesNotContain("secret").contains("base64");
        assertThat(group().delete("key")).isTrue();
        assertThat(StoreImport.into(store()).fromFile(file).created()).isEqualTo(1);
        assertThat(group().get("key")).contains("secret");
        open(settings().encrypt(name -> name.equals("group"), new AesGcm(2)));
        Files.writeString(file, Files.readString(file).replace("\"key\":\"key\"", "\"key\":\"other\""));
        assertThat(StoreImport.into(store()).fromFile(file).created()).isEqualTo(1);
        assertThatExceptionOfType(SealedValueException.class).isThrownBy(() -> group().get("other"));
    }
}
