package dev.ttlstore.contract;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import dev.ttlstore.CopyProgress;
import dev.ttlstore.CopyProgress.Phase;
import dev.ttlstore.CopyResult;
import dev.ttlstore.Entry;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.GroupSettings;
import dev.ttlstore.Quota;
import dev.ttlstore.RetainedEntry;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.engine.Row;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.CopyMismatchException;
import dev.ttlstore.exception.CopyTargetException;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.StoreInterruptedException;
import dev.ttlstore.exception.UnfinishedCopyException;
import dev.ttlstore.expiry.DeadLetter;
import dev.ttlstore.expiry.ExpirySettings;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a copy of a store promises, from whichever engine to whichever: a test of engines says which. */
public abstract class CopyContract {

    /** More than a page of rows. */
    private static final int MANY = 1_200;

    private final MovableClock clock = new MovableClock();

    /** Where the store is that is copied; always the same place within a test. */
    protected abstract EngineFactory source();

    /** Where it is copied to; always the same place within a test. */
    protected abstract EngineFactory target();

    /** A third place. */
    protected abstract EngineFactory other();

    private StoreBuilder settings(EngineFactory engine) {
        return Store.builder()
                .engine(engine)
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .expiryOnTime(false)
                .encrypt(new GroupPattern("secrets"), new AesGcm(1))
                .group("kept", GroupSettings.defaults().withRetention(Duration.ofDays(30)))
                .expiry(ExpirySettings.defaults()
                        .withMaxAttempts(2)
                        .withDelays(Duration.ofHours(1), Duration.ofHours(1)));
    }

    private StoreCopy copy() {
        return StoreCopy.from(source()).to(target()).clock(clock);
    }

    private List<String> dump(EngineFactory engine) {
        return Dump.of(engine, clock);
    }

    /** Fills the source with rows of every kind. */
    private void fill() {
        clock.set(Instant.now().minus(Duration.ofDays(2))); // a store has numbers and times from before
        try (Store store = settings(source()).open()) {
            Map<String, String> many = new HashMap<>();
            IntStream.range(0, MANY).forEach(i -> many.put("key " + i, "value " + i));
            store.group("many").putAll(many);
            store.group("plain").put("ä€😀", "");
            store.group("plain").put("later", "value", Duration.ofDays(10));
            store.group("plain").put("updated", "first");
            clock.advance(Duration.ofMinutes(1));
            store.group("plain").put("updated", "second");
            store.group("plain").put("deleted", "value");
            store.group("plain").delete("deleted");
            store.group("secrets").put("key", "the secret");
            store.counters("counts").increment("key", 41);
            Scope acme = store.scope("acme", new Quota(3, 0, 0));
            acme.group("invites").put("one", "value");
            acme.group("invites").put("two", "value", Duration.ofDays(10));
            Subscription mail = store.onExpired("mail", "mails", entry -> {
                throw new IllegalStateException("on purpose");
            });
            Subscription matching =
                    store.onExpiredMatching("secrets", new GroupPattern("*:secrets"), Void.class, entry -> {});
            expire(store, "mails", "dead");
            Awaitility.await().until(() -> store.expirySubscribers().get(0).pending() > 0);
            Awaitility.await().until(() -> {
                clock.advance(Duration.ofHours(2));
                store.purgeExpired();
                return store.deadLetters("mail").count() == 1;
            });
            mail.close();
            matching.close();
            expire(store, "mails", "waits twice");
            expire(store, "mails", "waits twice");
            expire(store, "mails", "waits");
            expire(store, "kept", "retained");
            store.group("mails").put("unpurged", "value", Duration.ofMinutes(1));
            store.group("kept").put("unpurged", "value", Duration.ofMinutes(1));
            clock.advance(Duration.ofMinutes(2));
        }
    }

    private void expire(Store store, String group, String key) {
        store.group(group).put(key, "the value of " + key, Duration.ofMinutes(1));
        clock.advance(Duration.ofMinutes(1));
        store.purgeExpired();
    }

    @Test
    @Promise({2, 8, 17, 19})
    void aCopyHasEverythingThatTheSourceHas() {
        fill();
        List<CopyProgress> told = new ArrayList<>();
        CopyResult result = copy().onProgress(told::add).run();
        assertThat(dump(target())).isEqualTo(dump(source()));
        assertThat(result.entries()).isEqualTo(MANY + 9);
        assertThat(result.retained()).isEqualTo(1);
        assertThat(result.subscribers()).isEqualTo(2);
        assertThat(result.deliveries()).isEqualTo(4);
        assertThat(result.checksum()).matches("[0-9a-f]{32}");
        assertThat(told).allMatch(progress -> progress.total() == MANY + 16 && progress.rows() <= progress.total());
        assertThat(told).extracting(CopyProgress::phase).isSorted().contains(Phase.COPYING, Phase.VERIFYING);
        assertThat(told.get(told.size() - 1).rows()).isEqualTo(MANY + 16);
        assertThat(told.get(told.size() - 1).rate()).isPositive();
    }

    @Test
    @Promise({1, 2, 8, 19})
    void aStoreOnTheCopyContinuesWhereTheSourceHasEnded() {
        fill();
        Entry<String> before;
        try (Store store = settings(source()).open()) {
            before = store.group("plain").entry("updated").orElseThrow();
        }
        CopyResult unused = copy().run();
        try (Store store = settings(target()).open()) {
            assertThat(store.group("plain").entry("updated")).contains(before);
            assertThat(store.group("plain").entry("ä€😀"))
                    .get()
                    .extracting(Entry::value)
                    .isEqualTo("");
            assertThat(store.group("secrets").get("key")).contains("the secret");
            assertThat(store.counters("counts").increment("key", 1)).isEqualTo(42);
            assertThat(store.group("many").count()).isEqualTo(MANY);
            assertThat(store.group("mails").get("unpurged")).isEmpty();
            Scope acme = store.scope("acme", new Quota(3, 0, 0));
            assertThat(acme.usage().keys()).isEqualTo(2);
            acme.group("invites").put("three", "value");
            assertThatThrownBy(() -> acme.group("invites").put("four", "value"))
                    .isInstanceOf(QuotaExceededException.class);
            assertThat(store.expired(Instant.EPOCH, clock.instant()).map(RetainedEntry::key))
                    .contains("retained", "unpurged");
            clock.advance(Duration.ofDays(11));
            assertThat(store.group("plain").get("later")).isEmpty();
        }
    }

    @Test
    @Promise(17)
    void whatHasExpiredBeforeTheCopyIsHandledAfterIt() {
        fill();
        CopyResult unused = copy().run();
        try (Store store = settings(target()).open()) {
            assertThat(store.expirySubscribers().get(0).pending()).isEqualTo(3);
            assertThat(store.deadLetters("mail").stream()).singleElement().satisfies(letter -> {
                assertThat(letter.key()).isEqualTo("dead");
                assertThat(letter.attempts()).isEqualTo(2);
                assertThat(letter.lastError()).contains("Exception at ");
            });
            Handled handled = new Handled();
            Subscription mail = store.onExpired("mail", "mails", handled);
            store.purgeExpired();
            handled.await("waits twice", "waits twice", "waits", "unpurged");
            DeadLetter letter = store.deadLetters("mail").stream().findFirst().orElseThrow();
            assertThat(store.deadLetters("mail").retry(letter.id())).isTrue();
            handled.awaitCount(5);
            assertThat(handled.keys()).contains("dead");
            mail.close();
        }
    }

    @Test
    @Promise(9)
    void noVersionIsUsedAgainAfterACopy() {
        fill();
        long last;
        try (Store store = settings(source()).open()) {
            store.group("plain").put("short-lived", "value");
            last = store.group("plain").entry("short-lived").orElseThrow().version();
            store.group("plain").delete("short-lived");
        }
        CopyResult unused = copy().run();
        try (Store store = settings(target()).open()) {
            for (String group : List.of("plain", "many", "acme:invites", "new", "another", "third")) {
                assertThat(store.group(group).put("new", "value")).isGreaterThan(last);
            }
        }
        try (Store store = settings(target()).open()) {
            assertThat(store.group("plain").put("newer", "value")).isGreaterThan(last);
        }
    }

    @Test
    @Promise(5)
    void timeDoesNotRunBackwardsAcrossACopy() {
        try (Store store = settings(source()).open()) {
            store.group("plain").put("key", "value", Duration.ofMinutes(1));
            clock.advance(Duration.ofMinutes(1));
            assertThat(store.group("plain").get("key")).isEmpty();
            store.group("plain").put("other", "value");
        }
        CopyResult unused = copy().run();
        clock.advance(Duration.ofMinutes(-1));
        try (Store store = settings(target()).open()) {
            assertThat(store.group("plain").get("key")).isEmpty();
        }
    }

    @Test
    void anEmptyStoreCanBeCopied() {
        settings(source()).open().close();
        CopyResult result = copy().run();
        assertThat(result.entries()).isZero();
        assertThat(dump(target())).isEmpty();
        settings(target()).open().close();
    }

    @Test
    @Promise(8)
    void aCopyContinuesWhereverItWasInterrupted() {
        fill();
        List<String> expected = dump(source());
        int steps = 0;
        boolean done = false;
        while (!done) {
            done = stopsAfter(++steps);
            if (!done) {
                assertThatThrownBy(() -> settings(target()).open())
                        .isInstanceOf(UnfinishedCopyException.class)
                        .hasMessageContaining("Copy the store again");
                assertThatThrownBy(() -> StoreCopy.from(target()).to(other()).run())
                        .isInstanceOf(UnfinishedCopyException.class);
            }
        }
        assertThat(steps).isGreaterThan(8);
        assertThat(dump(target())).isEqualTo(expected);
        settings(target()).open().close();
    }

    /** Copies, and fails after some steps. Returns whether that was enough. */
    private boolean stopsAfter(int steps) {
        int[] left = {steps};
        IllegalStateException onPurpose = new IllegalStateException("on purpose");
        try {
            CopyResult unused = copy().onProgress(progress -> {
                        if (--left[0] == 0) {
                            throw onPurpose;
                        }
                    })
                    .run();
            return true;
        } catch (IllegalStateException e) {
            assertThat(e).isSameAs(onPurpose);
            return false;
        }
    }

    @Test
    void anInterruptEndsACopyWhichCanBeContinued() {
        fill();
        assertThatThrownBy(() -> copy().onProgress(
                                progress -> Thread.currentThread().interrupt())
                        .run())
                .isInstanceOf(StoreInterruptedException.class)
                .hasMessageContaining("continues it");
        assertThat(Thread.interrupted()).isTrue();
        CopyResult unused = copy().run();
        assertThat(dump(target())).isEqualTo(dump(source()));
    }

    @Test
    @Promise(8)
    void aRepeatedCopyBringsTheTargetToTheStateOfTheSource() {
        fill();
        assertThat(stopsAfter(9)).isFalse();
        try (Store store = settings(source()).open()) {
            store.group("many")
                    .deleteAll(IntStream.range(0, MANY)
                            .filter(i -> i % 3 == 0)
                            .mapToObj(i -> "key " + i)
                            .toList());
            store.group("many").put("key 1", "changed");
            store.group("many").put("added", "value");
            store.group("many").expire("key 2", Duration.ofDays(3)); // keeps its version
            assertThat(store.deadLetters("mail").discardAll()).isEqualTo(1);
            assertThat(store.removeExpirySubscriber("secrets")).isTrue();
        }
        CopyResult unused = copy().run();
        assertThat(dump(target())).isEqualTo(dump(source()));
    }

    @Test
    void aTargetThatIsNotEmptyIsRefusedAndStaysAsItIs() {
        fill();
        try (Store store = settings(target()).open()) {
            store.group("own").put("key", "value");
        }
        List<String> before = dump(target());
        assertThatThrownBy(() -> copy().run())
                .isInstanceOf(CopyTargetException.class)
                .hasMessageStartingWith("'target', the ")
                .hasMessageContaining("is not empty: it holds 1 entries")
                .hasMessageContaining("Choose an empty target");
        assertThat(dump(target())).isEqualTo(before);
        try (Store store = settings(target()).open()) {
            assertThat(store.group("own").get("key")).contains("value");
        }
    }

    @Test
    void aFinishedCopyIsNotOverwritten() {
        fill();
        CopyResult unused = copy().run();
        assertThatThrownBy(() -> copy().run()).isInstanceOf(CopyTargetException.class);
    }

    @Test
    void anUnfinishedCopyOfAnotherStoreIsNotContinued() {
        fill();
        assertThat(stopsAfter(2)).isFalse();
        settings(other()).open().close();
        assertThatThrownBy(
                        () -> StoreCopy.from(other()).to(target()).clock(clock).run())
                .isInstanceOf(CopyTargetException.class)
                .hasMessageContaining("holds an unfinished copy of another source, the ");
        CopyResult unused = copy().run();
        assertThat(dump(target())).isEqualTo(dump(source()));
    }

    @Test
    void aTargetThatWasUsedAndEmptiedTakesACopy() {
        fill();
        try (Store store = settings(target()).open()) {
            Scope acme = store.scope("acme", new Quota(3, 0, 0));
            acme.group("invites").put("own", "value", Duration.ofMinutes(1));
            store.group("mails").put("own", "value", Duration.ofMinutes(1));
            clock.advance(Duration.ofDays(1)); // the purge comes further than what the copy brings
            store.purgeExpired();
        }
        CopyResult unused = copy().run();
        assertThat(dump(target())).isEqualTo(dump(source()));
        try (Store store = settings(target()).open()) {
            assertThat(store.scope("acme", new Quota(3, 0, 0)).usage().keys()).isEqualTo(2);
            assertThat(store.purgeExpired()).isEqualTo(2);
            assertThat(store.expirySubscribers().get(0).pending()).isEqualTo(4);
        }
    }

    @Test
    void aDifferenceInTheTargetIsFoundAndCorrectedByTheNextRun() {
        fill();
        assertThatThrownBy(() -> StoreCopy.from(source())
                        .to(new Tampering(target(), rows -> rows.set(0, withValue(rows.get(0), "tampered"))))
                        .clock(clock)
                        .run())
                .isInstanceOf(CopyMismatchException.class)
                .hasMessageContaining("the checksum of the entries is ")
                .hasMessageContaining("copy again")
                .hasMessageNotContaining("tampered");
        assertThatThrownBy(() -> settings(target()).open()).isInstanceOf(UnfinishedCopyException.class);
        CopyResult unused = copy().run();
        assertThat(dump(target())).isEqualTo(dump(source()));
    }

    @Test
    void aMissingRowInTheTargetIsFound() {
        fill();
        Consumer<List<Row>> loss = rows -> rows.remove(0);
        assertThatThrownBy(() -> StoreCopy.from(source())
                        .to(new Tampering(target(), loss))
                        .clock(clock)
                        .run())
                .isInstanceOf(CopyMismatchException.class)
                .hasMessageContaining("entries instead of 1,209");
    }

    private static Row withValue(Row row, String value) {
        return new Row(
                row.key(),
                value.getBytes(StandardCharsets.UTF_8),
                row.version(),
                row.createdAt(),
                row.updatedAt(),
                row.expiresAt());
    }

    @Test
    void wrongArgumentsAreRefusedByTheirNames() {
        settings(source()).open().close();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> copy().lockTimeout(Duration.ofSeconds(-1)))
                .withMessageContaining("'lockTimeout'");
        assertThatIllegalStateException()
                .isThrownBy(() -> StoreCopy.from(source()).run())
                .withMessageContaining("to(…)");
    }
}
