package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.verification.Finding;
import dev.ttlstore.verification.Finding.Kind;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a verification finds in tables that are not as nodes have left them. */
@Tag("postgresql")
@Promise(23)
class SlotVerificationTests {

    private static final int ENTRIES = 1_200;

    private final String schema = TestServer.freshSchema();

    private final Store store = Store.builder()
            .engine(PostgreSql.on(TestServer.pool()).schema(schema))
            .purgeInterval(Duration.ZERO)
            .retention(Duration.ofDays(1))
            .open();

    @BeforeEach
    void fill() {
        TextGroup many = store.group("many");
        CompletableFuture.allOf(IntStream.range(0, ENTRIES)
                        .mapToObj(i -> many.async().put("key" + i, "value", Duration.ofHours(1 + i % 9)))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
        Scope scope = store.scope("acme", new Quota(100, 10, 10_000));
        scope.group("one").put("a", "value");
        scope.group("two").put("b", "value");
        many.expireNow("key1");
        store.purgeExpired();
    }

    @AfterEach
    void close() {
        store.close();
        TestServer.drop(schema);
    }

    private void damage(String... texts) {
        TestServer.commitUnderLock(schema, texts);
    }

    private List<Finding> findings() {
        VerificationReport report = store.verify();
        assertThat(report.total()).isEqualTo(report.findings().size());
        return report.findings();
    }

    private Finding onlyFinding() {
        List<Finding> found = findings();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void tablesInUseAreSoundAndTellHowFarItIs() {
        Subscription mailer = store.onExpired("mailer", "many", expired -> {
            throw new IllegalStateException("no mail server");
        });
        store.group("many").expireNow("key2");
        store.group("many").expireNow("key3");
        store.purgeExpired();
        mailer.close();
        List<VerificationProgress> told = new ArrayList<>();
        VerificationReport report = store.verify(progress -> {
            told.add(progress);
            store.group("many").put("meanwhile", progress.step());
        });
        assertThat(report.findings()).isEmpty();
        assertThat(report.rows()).isGreaterThan(ENTRIES);
        assertThat(told)
                .extracting(VerificationProgress::step)
                .contains("log", "entries", "retained", "deliveries", "usage");
    }

    @Test
    @Promise(19)
    void aUsageThatIsNotTheSumOfTheEntriesIsFound() {
        damage("UPDATE @usage SET keys = 7 WHERE grp = 'acme:one'");
        Finding found = onlyFinding();
        assertThat(found.kind()).isEqualTo(Kind.USAGE);
        assertThat(found.group()).isEqualTo("acme:one");
        assertThat(found.problem()).contains("7 entries").contains("1 entries");
        damage("DELETE FROM @usage");
        assertThat(findings()).isEmpty();
        store.scope("acme").group("one").put("c", "value");
        assertThat(findings()).isEmpty();
    }

    @Test
    void aDeliveryWithoutASubscriberIsFound() {
        int slot = new Slots(32).of("many");
        damage(
                "INSERT INTO @delivery (slot, subscriber, id, grp, key, version, expires_at, attempts, next_at, value) VALUES"
                        + " (" + slot + ", 'nobody', " + (32 + slot) + ", 'many', 'key9', 1, 1, 0, 1, '')");
        Finding found = onlyFinding();
        assertThat(found.kind()).isEqualTo(Kind.ORPHAN);
        assertThat(found.key()).isEqualTo("key9");
        assertThat(found.problem()).contains("nobody");
    }

    @Test
    void deliveriesThatAreNotInLineAreFound() {
        int slot = new Slots(32).of("many");
        damage(
                "INSERT INTO @subscriber (slot, name, groups_from) VALUES (0, 'mailer', '')",
                "INSERT INTO @delivery (slot, subscriber, id, grp, key, version, expires_at, attempts, next_at, value) VALUES"
                        + " (" + slot + ", 'mailer', " + (32 + slot) + ", 'many', 'key9', 1, 1, 0, 1, ''),"
                        + " (" + slot + ", 'mailer', " + (64 + slot) + ", 'many', 'key9', 2, 1, 0, 1, ''),"
                        + " (" + slot + ", 'mailer', " + (96 + slot) + ", 'many', 'key8', 2, 1, 0, "
                        + SlotDeliveries.PARKED + ", '')");
        assertThat(findings())
                .allSatisfy(found -> assertThat(found.kind()).isEqualTo(Kind.ORDER))
                .extracting(Finding::key)
                .containsExactlyInAnyOrder("key9", "key8");
    }

    @Test
    void aRowInAnotherSlotThanItsGroupIsFound() {
        int other = (new Slots(32).of("many") + 1) % 32;
        damage("INSERT INTO @entry (slot, grp, key, version, created_at, updated_at, value) VALUES" + " (" + other
                + ", 'many', 'astray', 0, 1, 1, '')");
        Finding found = onlyFinding();
        assertThat(found.kind()).isEqualTo(Kind.SLOT);
        assertThat(found.key()).isEqualTo("astray");
    }

    @Test
    @Promise(9)
    void aVersionThatItsSlotHasNotGivenIsFound() {
        damage("UPDATE @entry SET version = 1::bigint << 61 WHERE key = 'key5'");
        Finding found = onlyFinding();
        assertThat(found.kind()).isEqualTo(Kind.VERSION);
        assertThat(found.key()).isEqualTo("key5");
    }

    @Test
    void timesThatContradictEachOtherAreFound() {
        damage(
                "UPDATE @entry SET created_at = updated_at + 1 WHERE key = 'key5'",
                "UPDATE @entry SET due_at = due_at - 700000 WHERE key = 'key6'");
        assertThat(findings())
                .allSatisfy(found -> assertThat(found.kind()).isEqualTo(Kind.TIMES))
                .extracting(Finding::key)
                .containsExactlyInAnyOrder("key5", "key6");
    }

    @Test
    @Promise(12)
    void aNameThatNoStoreAcceptsIsFound() {
        damage("UPDATE @entry SET key = '' WHERE key = 'key5'");
        assertThat(findings()).extracting(Finding::kind).contains(Kind.NAME);
    }

    @Test
    void aSlotWithoutANewestCommitIsFound() {
        damage("DELETE FROM @log WHERE slot = 7");
        assertThat(findings()).anySatisfy(found -> {
            assertThat(found.kind()).isEqualTo(Kind.STRUCTURE);
            assertThat(found.problem()).contains("slot 7");
        });
    }

    @Test
    void anInterruptEndsIt() {
        assertThatExceptionOfType(StoreInterruptedException.class)
                .isThrownBy(
                        () -> store.verify(progress -> Thread.currentThread().interrupt()));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(findings()).isEmpty();
    }
}
