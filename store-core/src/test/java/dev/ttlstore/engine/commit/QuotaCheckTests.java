package dev.ttlstore.engine.commit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.QuotaExceededException.Amounts;
import dev.ttlstore.internal.access.Mutation;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a quota lets through. Each row takes four bytes: a key of one and the value "old". */
@Promise(19)
class QuotaCheckTests {

    private static final long NOW = Rows.NOW;
    private static final byte[] VALUE = Rows.value("new");

    @Test
    void whatFitsExactlyIsAdmittedAndOneMoreIsNot() {
        Bench bench = Bench.with(row("a"));
        bench.quotas().set("ns", Limit.keys(2));
        Draft draft = bench.draft();
        Writes.apply(draft, put("b"));
        assertThatExceptionOfType(QuotaExceededException.class)
                .isThrownBy(() -> Writes.apply(draft, put("c")))
                .satisfies(refusal -> {
                    assertThat(refusal.namespace()).isEqualTo("ns");
                    assertThat(refusal.needed()).isEqualTo(new QuotaExceededException.Amounts(3, 1, 12));
                });
        assertThat(usage(draft)).isEqualTo(new Amounts(2, 1, 8));
    }

    @Test
    void groupsAndBytesAreLimitedToo() {
        Bench bench = Bench.with(row("a"));
        bench.quotas().set("ns", new Amounts(0, 1, 9));
        Draft draft = bench.draft();
        refuses(draft, Mutation.put(Rows.key("ns:other", "b"), VALUE, ExpiryRule.NEVER));
        refuses(draft, Mutation.put(key("b"), Rows.value("newer"), ExpiryRule.NEVER));
        Writes.apply(draft, Mutation.put(key("b"), Rows.value("four"), ExpiryRule.NEVER));
        refuses(draft, Mutation.put(key("a"), Rows.value("four"), ExpiryRule.NEVER));
        assertThat(usage(draft)).isEqualTo(new Amounts(2, 1, 9));
    }

    @Test
    void whatIsOutsideOfTheNamespaceIsNotLimited() {
        Bench bench = Bench.with(row("a"));
        bench.quotas().set("ns", Limit.keys(1));
        Draft draft = bench.draft();
        for (String group : List.of("group", "ns", "ns2:group", "NS:group", "n:ns:group")) {
            Writes.apply(draft, Mutation.put(Rows.key(group, "b"), VALUE, ExpiryRule.NEVER));
        }
        refuses(draft, put("b"));
    }

    @Test
    void overwritingCostsNothingNew() {
        Bench bench = Bench.with(row("a"));
        bench.quotas().set("ns", new Amounts(1, 1, 4));
        Draft draft = bench.draft();
        Writes.apply(draft, put("a"));
        Writes.apply(draft, Writes.reschedule(key("a"), ExpiryRule.NOW));
        assertThat(usage(draft)).isEqualTo(new Amounts(1, 1, 4));
    }

    @Test
    void aNamespaceAboveItsQuotaMayShrinkAndStayAsItIsButNotGrow() {
        Bench bench = Bench.with(row("a"), row("b"), row("c"), row("d"));
        bench.quotas().set("ns", Limit.keys(1));
        Draft draft = bench.draft();
        Writes.apply(draft, put("a"));
        Writes.apply(draft, Writes.delete(key("b")));
        refuses(draft, put("e"));
        Writes.apply(
                draft,
                Mutation.put(key("a"), Rows.value("longer"), ExpiryRule.NEVER)); // no more keys, and bytes are free
        bench.quotas().set("ns", new Amounts(1, 1, 1));
        refuses(draft, Mutation.put(key("a"), Rows.value("longer still"), ExpiryRule.NEVER));
        Writes.apply(draft, Mutation.put(key("a"), Rows.value(""), ExpiryRule.NEVER));
        assertThat(usage(draft)).isEqualTo(new Amounts(3, 1, 9));
    }

    @Test
    void manyEntriesAreAdmittedTogetherOrNotAtAll() {
        Bench bench = Bench.with();
        bench.quotas().set("ns", Limit.keys(2));
        Draft draft = bench.draft();
        refuses(draft, putAll("a", "b", "c"));
        assertThat(Bench.events(draft)).isEmpty();
        assertThat(usage(draft)).isEqualTo(new Amounts(0, 0, 0));
        Writes.apply(draft, putAll("a", "b"));
        assertThat(usage(draft)).isEqualTo(new Amounts(2, 1, 8));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 999, 1_000, 1_001, 2_500})
    void expiredEntriesMakeWayHoweverManyTheyAre(int expired) {
        Bench bench = Bench.with();
        for (int i = 0; i < expired; i++) {
            Row row = Rows.in("ns:group", "expired" + i, i + 1, NOW - i);
            bench.transaction().rows().put(row.key(), row);
        }
        bench.quotas().set("ns", Limit.keys(1));
        Draft draft = bench.draft();
        Writes.apply(draft, put("a"));
        Bench.store(draft, bench.transaction());
        assertThat(bench.transaction().rows()).containsOnlyKeys(key("a"));
        assertThat(Bench.kinds(draft)).containsOnlyOnce("EntryPut").hasSize(expired + 1);
        assertThat(usage(draft)).isEqualTo(new Amounts(1, 1, 4));
    }

    @Test
    void onlyAsManyPagesOfExpiredEntriesGoAsRoomIsNeeded() {
        Bench bench = Bench.with();
        for (int i = 0; i < 2_500; i++) {
            Row row = Rows.in("ns:group", "expired" + i, i + 1, NOW - i);
            bench.transaction().rows().put(row.key(), row);
        }
        bench.quotas().set("ns", Limit.keys(2_500));
        Draft draft = bench.draft();
        Writes.apply(draft, put("a"));
        assertThat(usage(draft).keys()).isEqualTo(1_501);
    }

    @Test
    @Promise({8, 13, 19})
    void aRefusalUndoesEvenTheExpiryThatItFound() {
        Bench bench = Bench.with(row("a"), row("b"), expired("c"), expired("d")).retaining();
        bench.quotas().set("ns", Limit.keys(2));
        Draft draft = bench.draft();
        refuses(draft, put("e"));
        Bench.store(draft, bench.transaction());
        assertThat(Bench.events(draft)).isEmpty();
        assertThat(bench.transaction().stored()).isEmpty();
        assertThat(bench.transaction().retained()).isEmpty();
        assertThat(usage(draft)).isEqualTo(new Amounts(4, 1, 16));
    }

    @Test
    void expiredEntriesThatARefusedWriteHadSeenMakeWayForTheNextOne() {
        Bench bench = Bench.with(row("a"), expired("b"), expired("c"));
        bench.quotas().set("ns", Limit.keys(2));
        Draft draft = bench.draft();
        refuses(draft, putAll("d", "e"));
        Writes.apply(draft, put("d"));
        assertThat(usage(draft)).isEqualTo(new Amounts(2, 1, 8));
    }

    @Test
    void anExpiredEntryThatWasLoadedForAnotherWriteMakesWayToo() {
        Bench bench = Bench.with(row("a"), expired("b"));
        bench.quotas().set("ns", Limit.keys(2));
        Draft draft = bench.draft(key("a"), key("b"), key("c"));
        Writes.apply(draft, put("c"));
        assertThat(usage(draft)).isEqualTo(new Amounts(2, 1, 8));
    }

    @Test
    @Promise({7, 19})
    void anEntryThatTheSameCommitHasLetExpireDoesNotCount() {
        Bench bench = Bench.with(row("a"), row("b"));
        bench.quotas().set("ns", Limit.keys(2));
        Draft draft = bench.draft();
        Writes.apply(draft, Writes.reschedule(key("a"), ExpiryRule.NOW));
        Writes.apply(draft, put("c"));
        assertThat(Bench.kinds(draft)).containsExactly("EntryPut", "EntryExpired");
        assertThat(usage(draft)).isEqualTo(new Amounts(2, 1, 8));
    }

    @Test
    void whatTakesThePlaceOfAnExpiredEntryIsGrowth() {
        Bench bench = Bench.with(row("a"), row("b"), expired("c"));
        bench.quotas().set("ns", Limit.keys(2));
        Draft draft = bench.draft();
        refuses(draft, put("c"));
        bench.quotas().set("ns", new Amounts(3, 1, 12));
        Writes.apply(draft, put("c"));
        assertThat(usage(draft)).isEqualTo(new Amounts(3, 1, 12));
    }

    @Test
    void aGroupWhoseEntriesHaveAllExpiredIsNewAgain() {
        Bench bench = Bench.with(row("a"), Rows.in("ns:other", "b", 8, NOW));
        bench.quotas().set("ns", new Amounts(0, 1, 0));
        Draft draft = bench.draft();
        refuses(draft, Mutation.put(Rows.key("ns:other", "b"), VALUE, ExpiryRule.NEVER));
    }

    @Test
    void aQuotaThatIsSetAmidACommitSeesWhatTheCommitHasDone() {
        Bench bench = Bench.with(row("a"), row("b"));
        Draft draft = bench.draft();
        Writes.apply(draft, put("c"));
        Writes.apply(draft, Mutation.put(key("a"), Rows.value("longer"), ExpiryRule.NEVER));
        bench.quotas().set("ns", Limit.keys(3));
        Writes.apply(draft, Writes.delete(key("b")));
        Writes.apply(draft, put("d"));
        assertThat(usage(draft)).isEqualTo(new Amounts(3, 1, 15));
        refuses(draft, put("e"));
    }

    private static void refuses(Draft draft, Mutation<?> mutation) {
        assertThatExceptionOfType(QuotaExceededException.class).isThrownBy(() -> Writes.apply(draft, mutation));
    }

    private static Amounts usage(Draft draft) {
        return draft.quotaCheck().usage("ns").totals();
    }

    private static Mutation<Long> put(String key) {
        return Mutation.put(key(key), VALUE, ExpiryRule.NEVER);
    }

    private static Mutation<Long> putAll(String... keys) {
        Map<RowKey, byte[]> values = new LinkedHashMap<>();
        for (String key : keys) {
            values.put(key(key), VALUE);
        }
        return Writes.putAll(values, ExpiryRule.NEVER);
    }

    private static RowKey key(String key) {
        return Rows.key("ns:group", key);
    }

    private static Row row(String key) {
        return Rows.in("ns:group", key, 7, Row.NEVER);
    }

    private static Row expired(String key) {
        return Rows.in("ns:group", key, 7, NOW);
    }
}
