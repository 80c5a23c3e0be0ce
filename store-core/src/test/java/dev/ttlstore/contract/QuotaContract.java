package dev.ttlstore.contract;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Usage;
import dev.ttlstore.exception.QuotaExceededException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What a namespace may take, to the entry, the group and the byte. */
@Promise(19)
abstract class QuotaContract extends ContractArea {

    private static final Duration TTL = Duration.ofMillis(10);

    private Scope keys(long maxKeys) {
        return store().scope("acme", new Quota(maxKeys, 0, 0));
    }

    private TextGroup own() {
        return store().group("acme:group");
    }

    private static void assertExceeded(ThrowingCallable write) {
        assertThatExceptionOfType(QuotaExceededException.class).isThrownBy(write);
    }

    @Test
    void aLimitBelowZeroIsRefusedAndZeroIsNoLimit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Quota(-1, 0, 0))
                .withMessageContaining("maxKeys");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Quota(0, -1, 0))
                .withMessageContaining("maxGroups");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Quota(0, 0, -1))
                .withMessageContaining("maxBytes");
        assertThat(new Quota(0, 0, 0)).isEqualTo(Quota.UNLIMITED);
    }

    @Test
    void aScopeTellsTheQuotaThatWasSetLast() {
        assertThat(store().scope("acme").quota()).isEqualTo(Quota.UNLIMITED);
        keys(1);
        assertThat(store().scope("acme").quota()).isEqualTo(new Quota(1, 0, 0));
        assertThat(store().scope("Acme").quota()).isEqualTo(Quota.UNLIMITED);
        own().put("first", "value");
        assertExceeded(() -> own().put("second", "value"));
        store().scope("acme", Quota.UNLIMITED);
        own().put("second", "value");
        assertThat(own().count()).isEqualTo(2);
    }

    @Test
    void aRefusalChangesNothingAndTellsWhy() {
        Scope scope = store().scope("acme", new Quota(2, 3, 40));
        scope.group("a").put("key", "value");
        scope.group("a").put("other", "value");
        Recorder recorder = record();
        assertThatExceptionOfType(QuotaExceededException.class)
                .isThrownBy(() -> scope.group("b").put("secret", "hidden"))
                .withMessageContainingAll("'acme'", "3 entries (of 2)", "2 groups (of 3)", "30 bytes (of 40)")
                .satisfies(refusal -> {
                    assertThat(refusal.namespace()).isEqualTo("acme");
                    assertThat(refusal.limits()).isEqualTo(new QuotaExceededException.Amounts(2, 3, 40));
                    assertThat(refusal.needed()).isEqualTo(new QuotaExceededException.Amounts(3, 2, 30));
                    assertThat(refusal).hasMessageNotContainingAny("secret", "hidden");
                });
        assertThat(scope.groups()).containsExactly("a");
        assertThat(scope.usage()).isEqualTo(new Usage(2, 1, 18));
        assertThat(recorder.events()).isEmpty();
    }

    @Test
    void entriesAreCountedToTheLast() {
        keys(3);
        own().put("1", "value");
        own().putAll(Map.of("2", "value", "3", "value"));
        assertExceeded(() -> own().put("4", "value"));
        assertExceeded(() -> store().group("acme:other").put("1", "value"));
        own().delete("1");
        own().put("4", "value");
        assertThat(own().keys()).containsExactly("2", "3", "4");
    }

    @Test
    void groupsAreCountedToTheLast() {
        Scope scope = store().scope("acme", new Quota(0, 2, 0));
        scope.group("a").put("1", "value");
        scope.group("b").put("1", "value", TTL);
        scope.group("b").put("2", "value", TTL);
        assertExceeded(() -> scope.group("c").put("1", "value"));
        scope.group("a").put("2", "value");
        scope.group("b").delete("1");
        assertExceeded(() -> scope.group("c").put("1", "value"));
        advanceMillis(10);
        scope.group("c").put("1", "value");
        assertThat(scope.groups()).containsExactly("a", "c");
        assertExceeded(() -> scope.group("b").put("1", "value"));
    }

    @Test
    void bytesOfKeysAndValuesAreCountedToTheLast() {
        Scope scope = store().scope("acme", new Quota(0, 0, 10));
        scope.group("a long name that does not count").put("ké", "12345"); // 3 + 5
        assertExceeded(() -> own().put("k", "12"));
        own().put("k", "1");
        assertThat(scope.usage().bytes()).isEqualTo(10);
        assertExceeded(() -> own().put("k", "12"));
        own().put("k", "");
        assertThat(scope.usage().bytes()).isEqualTo(9);
        own().put("k", "x");
        assertThat(own().get("k").orElseThrow().getBytes(StandardCharsets.UTF_8))
                .hasSize(1);
    }

    @Test
    void overwritingALiveEntryIsFree() {
        keys(1);
        own().put("key", "value", TTL);
        own().put("key", "another value");
        assertThat(own().replace("key", "another value", "value")).isPresent();
        assertThat(own().update("key", value -> value + value)).isPresent();
        assertThat(own().getAll()).containsExactly(Map.entry("key", "valuevalue"));
    }

    @Test
    void everyWayToCreateAnEntryIsHeldToTheQuota() {
        Scope scope = keys(1);
        TextGroup group = scope.group("group");
        group.put("key", "value");
        Counters counters = scope.counters("counters");
        assertExceeded(() -> group.put("new", "value"));
        assertExceeded(() -> group.put("new", "value", TTL));
        assertExceeded(() -> group.put("new", "value", clock.instant().plusSeconds(1)));
        assertExceeded(() -> group.putAll(Map.of("new", "value")));
        assertExceeded(() -> group.putIfAbsent("new", "value"));
        assertExceeded(() -> group.add("value"));
        assertExceeded(() -> group.getOrPut("new", TTL, () -> "value"));
        assertExceeded(() -> counters.increment("new"));
        assertExceeded(() -> scope.transact(tx -> tx.group("group").add("value")));
        assertThat(group.async().put("new", "value"))
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withCauseInstanceOf(QuotaExceededException.class);
        assertThat(group.putIfAbsent("key", "other")).isEmpty();
        assertThat(store().count()).isEqualTo(1);
        assertThat(scope.usage().keys()).isEqualTo(1);
    }

    @Test
    void putAllPutsAllOrNothing() {
        keys(3);
        own().put("1", "old");
        assertExceeded(() -> own().putAll(Map.of("1", "new", "2", "new", "3", "new", "4", "new")));
        assertThat(own().getAll()).containsExactly(Map.entry("1", "old"));
        own().putAll(Map.of("1", "new", "2", "new", "3", "new"));
        assertThat(own().count()).isEqualTo(3);
    }

    @Test
    void aTransactionsOwnWritesAreCounted() {
        keys(2);
        own().put("1", "value");
        store().transact(tx -> {
            TextGroup group = tx.group("acme:group");
            group.put("2", "value");
            assertExceeded(() -> group.put("3", "value"));
            group.delete("1");
            group.put("3", "value");
            assertExceeded(() -> group.put("1", "value"));
            assertThat(tx.deleteGroup("acme:group")).isEqualTo(2);
            group.putAll(Map.of("4", "value", "5", "value"));
            assertExceeded(() -> group.put("6", "value"));
            return true;
        });
        assertThat(own().keys()).containsExactly("4", "5");
        assertThat(store().scope("acme").usage().keys()).isEqualTo(2);
    }

    @Test
    @Promise({1, 19})
    void whatHasExpiredDoesNotCountThoughItWasNotPurged() {
        Scope scope = keys(3);
        IntStream.range(0, 3).forEach(i -> own().put("old" + i, "value", TTL));
        assertExceeded(() -> own().put("new0", "value"));
        advanceMillis(10);
        assertThat(scope.usage()).isEqualTo(new Usage(0, 0, 0));
        IntStream.range(0, 3).forEach(i -> own().put("new" + i, "value"));
        assertExceeded(() -> own().put("old0", "value"));
        assertThat(own().count()).isEqualTo(3);
    }

    @Test
    @Promise({1, 19})
    void overwritingAnExpiredEntryCounts() {
        keys(2);
        own().put("expired", "value", TTL);
        own().put("1", "value");
        advanceMillis(10);
        own().put("2", "value");
        assertExceeded(() -> own().put("expired", "value"));
    }

    @Test
    @Promise({1, 19})
    void overwritingExpiredEntriesCountsThoughThereAreMoreThanTheQuotaAllows() {
        Map<String, String> many = new HashMap<>();
        IntStream.range(0, 2_500).forEach(i -> many.put("key" + i, "value"));
        own().putAll(many, TTL);
        Scope scope = keys(10);
        advanceMillis(10);
        IntStream.range(0, 10).forEach(i -> own().put("key" + i, "value"));
        assertExceeded(() -> own().put("key10", "value"));
        assertThat(scope.usage().keys()).isEqualTo(10);
        assertThat(own().count()).isEqualTo(10);
    }

    /** The writes of several callers share a commit, in which the values of all of them would take too much memory. */
    @Test
    @Promise({1, 7, 19})
    void whatHasExpiredDoesNotCountThoughItTakesMuchMemory() throws Exception {
        byte[] large = new byte[100_000];
        Group<byte[]> group = store().group("acme:group", byte[].class);
        IntStream.range(0, 100).forEach(i -> group.put("old" + i, large, TTL));
        keys(100);
        advanceMillis(10);
        CountDownLatch queued = new CountDownLatch(1);
        Future<Boolean> before = holdUpCommits(queued);
        List<CompletableFuture<?>> writes = List.of(
                group.async().put("new1", large).toCompletableFuture(),
                group.async().put("new2", large).toCompletableFuture());
        queued.countDown();
        assertThat(before.get(20, TimeUnit.SECONDS)).isTrue();
        writes.forEach(CompletableFuture::join);
        assertThat(group.keys()).containsExactlyInAnyOrder("new1", "new2");
    }

    @Test
    @Promise({1, 19})
    void aGroupOfExpiredEntriesCountsAsNewWhenItIsPutTo() {
        own().put("live", "value");
        store().group("acme:other").putAll(Map.of("1", "value", "2", "value"), TTL);
        store().scope("acme", new Quota(0, 1, 0));
        advanceMillis(10);
        assertExceeded(() -> store().group("acme:other").put("1", "value"));
    }

    @Test
    @Promise({1, 8, 19})
    void whatHasExpiredDoesNotCountThoughTheTransactionHasReadOrExpiredIt() {
        keys(2);
        own().put("expired", "value", TTL);
        own().put("live", "value");
        advanceMillis(10);
        store().transact(tx -> {
            TextGroup group = tx.group("acme:group");
            assertThat(group.get("expired")).isEmpty();
            group.put("new", "value");
            assertExceeded(() -> group.put("newer", "value"));
            assertThat(group.expireAllNow()).isEqualTo(2);
            group.putAll(Map.of("a", "value", "b", "value"));
            return true;
        });
        assertThat(own().keys()).containsExactly("a", "b");
    }

    @Test
    void aQuotaBelowTheUsageLetsNothingGrowAndEverythingElseBe() {
        IntStream.range(0, 5).forEach(i -> own().put("key" + i, "value"));
        store().scope("acme", new Quota(2, 1, 20));
        assertThat(own().get("key0")).contains("value");
        own().put("key0", "less");
        own().put("key0", "same");
        assertExceeded(() -> own().put("key0", "longer"));
        assertExceeded(() -> own().put("new", ""));
        assertThat(own().expire("key1", TTL)).isTrue();
        assertThat(own().persist("key1")).isTrue();
        assertThat(own().take("key1")).isPresent();
        assertExceeded(() -> own().put("new", ""));
        assertThat(own().delete("key2")).isTrue();
        assertThat(own().delete("key3")).isTrue();
        assertExceeded(() -> own().put("new", ""));
        assertThat(own().delete("key4")).isTrue();
        own().put("new", "");
    }

    @Test
    void aQuotaOfEntriesThatIsExceededLeavesTheSizeOfThoseThatStandAlone() {
        IntStream.range(0, 3).forEach(i -> own().put("key" + i, "value"));
        keys(2);
        own().put("key0", "a longer value than before");
        assertThat(own().get("key0")).contains("a longer value than before");
    }

    @Test
    void thereIsRoomAgainHoweverEntriesHaveGone() {
        Scope scope = keys(2);
        List<Runnable> ways = List.of(
                () -> own().clear(),
                () -> scope.deletePrefix("g"),
                () -> store().deletePrefix(""),
                () -> store().deleteGroup("acme:group"),
                () -> own().expireAllNow(),
                () -> own().sweep(Duration.ZERO),
                () -> own().keys().forEach(own()::delete),
                () -> scope.transact(tx -> tx.deletePrefix("")),
                () -> {
                    own().expireAll(TTL);
                    advanceMillis(10);
                    scope.purgeExpired();
                });
        for (Runnable way : ways) {
            own().putAll(Map.of("1", "value", "2", "value"));
            assertExceeded(() -> own().put("3", "value"));
            way.run();
            assertThat(scope.usage()).isEqualTo(new Usage(0, 0, 0));
        }
    }

    @Test
    void aQuotaHoldsForItsNamespaceAlone() {
        keys(1);
        own().put("key", "value");
        for (String name : List.of("Acme:group", "acme-2:group", "acme", "group", "x:acme:group")) {
            store().group(name).putAll(Map.of("1", "value", "2", "value"));
        }
        assertThat(store().count()).isEqualTo(11);
        assertThat(store().scope("acme").usage().keys()).isEqualTo(1);
    }
}
