package dev.ttlstore.engine.commit;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Command.Forgotten;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.PurgeBudget;
import dev.ttlstore.engine.PurgeResult;
import dev.ttlstore.engine.Row;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.exception.QuotaExceededException.Amounts;
import dev.ttlstore.internal.access.Mutation;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The commands that change rows which they do not name. */
class CommandRunnerTests {

    private static final long NOW = Rows.NOW;
    private static final Instant TIME = Instant.ofEpochMilli(NOW);

    private final Bench bench = Bench.with(
            Rows.in("ns:a", "expired", 1, NOW - 2),
            Rows.in("ns:a", "living", 2, NOW + 1),
            Rows.in("ns:b", "expired", 3, NOW),
            Rows.in("ns:c", "living", 4, Row.NEVER),
            Rows.in("nsx:a", "expired", 5, NOW - 1),
            Rows.in("other", "living", 6, Row.NEVER));

    @Test
    @Promise(13)
    void deletingGroupsTellsFirstWhatHadExpiredAndThenHowManyWent() {
        Draft draft = bench.draft();
        assertThat(commands(draft).clear(Namespaces.groups("ns")).removed()).isEqualTo(2);
        assertThat(Bench.events(draft))
                .containsExactly(
                        new EntryExpired(101, TIME, "ns:a", "expired", 1, Instant.ofEpochMilli(NOW - 2)),
                        new EntryExpired(102, TIME, "ns:b", "expired", 3, TIME),
                        new GroupDeleted(103, TIME, "ns:a", 1),
                        new GroupDeleted(104, TIME, "ns:c", 1));
        assertThat(bench.transaction().rows())
                .containsOnlyKeys(Rows.key("nsx:a", "expired"), Rows.key("other", "living"));
    }

    @Test
    @Promise(24)
    void clearingAGroupWithManyExpiredEntriesRemovesSomeWithEachCommitAndThenAllLivingOnes() {
        for (int i = 0; i < 2_500; i++) {
            add(Rows.in("many", "expired" + i, 10 + i, NOW - 1));
        }
        add(Rows.in("many", "living", 5_000, Row.NEVER));
        Command.Cleared[] parts = new Command.Cleared[3];
        int[] events = new int[3];
        for (int i = 0; i < 3; i++) {
            Draft draft = bench.draft();
            parts[i] = commands(draft).clear(GroupRange.only("many"));
            events[i] = Bench.events(draft).size();
        }
        assertThat(parts)
                .containsExactly(
                        new Command.Cleared(0, true), new Command.Cleared(0, true), new Command.Cleared(1, false));
        assertThat(events).containsExactly(1_000, 1_000, 501);
    }

    @Test
    @Promise(13)
    void clearingAGroupWithoutLivingEntriesTellsNoDeletion() {
        Draft draft = bench.draft();
        assertThat(commands(draft).clear(GroupRange.only("ns:b")).removed()).isZero();
        assertThat(commands(draft).clear(GroupRange.only("nowhere")).removed()).isZero();
        assertThat(Bench.kinds(draft)).containsExactly("EntryExpired");
    }

    @Test
    @Promise({6, 18})
    void aPurgeOfSomeGroupsLeavesTheOthers() {
        Draft draft = bench.draft();
        assertThat(commands(draft)
                        .purge(Namespaces.groups("ns"), NOW, PurgeBudget.of(10))
                        .removed())
                .hasSize(2);
        assertThat(Bench.events(draft))
                .map(event -> event.group() + " " + ((EntryExpired) event).key())
                .containsExactly("ns:a expired", "ns:b expired");
        assertThat(bench.transaction().rows()).hasSize(4).containsKey(Rows.key("nsx:a", "expired"));
    }

    @Test
    @Promise(6)
    void aPurgeGoesOnInStepsForAsLongAsItMay() {
        Draft draft = bench.draft();
        AtomicInteger asked = new AtomicInteger();
        for (int i = 0; i < 200; i++) {
            Row row = Rows.in("many", "expired" + i, 100 + i, NOW);
            bench.transaction().rows().put(row.key(), row);
        }
        PurgeBudget twoSteps = new PurgeBudget(1_000, () -> asked.incrementAndGet() < 2, true);
        PurgeResult purged = commands(draft).purge(GroupRange.ALL, NOW, twoSteps);
        assertThat(asked).hasValue(2);
        assertThat(purged.removed()).hasSize(2 * 64);
        assertThat(purged.more()).isTrue();
        assertThat(draft.writes().changes()).hasSize(2 * 64);
    }

    @Test
    @Promise(3)
    void aPurgeIsHeldToTheTimeOfItsCommit() {
        Draft draft = bench.draft();
        assertThat(commands(draft)
                        .purge(GroupRange.ALL, Row.NEVER, PurgeBudget.of(10))
                        .removed())
                .hasSize(3);
        assertThat(bench.transaction().rows()).containsKey(Rows.key("ns:a", "living"));
    }

    @Test
    void whatIsPurgedOrClearedIsRetainedWhereThatIsAskedFor() {
        bench.retaining();
        Draft draft = bench.draft();
        commands(draft).purge(GroupRange.ALL, NOW, PurgeBudget.of(1));
        assertThat(commands(draft).clear(GroupRange.only("ns:b")).more()).isFalse();
        assertThat(bench.transaction().retained()).extracting(Row::version).containsExactly(1L, 3L);
    }

    @Test
    void nothingIsRetainedOtherwise() {
        Draft draft = bench.draft();
        commands(draft).purge(GroupRange.ALL, NOW, PurgeBudget.of(1));
        assertThat(commands(draft).clear(GroupRange.only("ns:b")).more()).isFalse();
        draft.live(Rows.key("nsx:a", "expired"));
        Bench.store(draft, bench.transaction());
        assertThat(bench.transaction().retained()).isEmpty();
    }

    @Test
    @Promise(13)
    void anExpiredEntryThatAWriteFindsIsRetainedOnce() {
        bench.retaining();
        Draft draft = bench.draft();
        assertThat(Writes.apply(draft, Writes.delete(Rows.key("ns:a", "expired"))))
                .isFalse();
        Writes.apply(draft, Mutation.put(Rows.key("ns:a", "expired"), new byte[0], ExpiryRule.NEVER));
        Bench.store(draft, bench.transaction());
        assertThat(bench.transaction().retained()).extracting(Row::version).containsExactly(1L);
    }

    @Test
    void whatWasRetainedIsForgottenByItsAge() {
        bench.retaining();
        Draft draft = bench.draft();
        commands(draft).purge(GroupRange.ALL, NOW, PurgeBudget.of(10));
        assertThat(commands(draft).forget(List.of(new Forgotten(GroupRange.ALL, NOW - 1)), 1))
                .isEqualTo(1);
        assertThat(commands(draft).forget(List.of(new Forgotten(GroupRange.ALL, NOW - 1)), 10))
                .isEqualTo(1);
        assertThat(commands(draft).forget(List.of(new Forgotten(GroupRange.ALL, NOW - 1)), 10))
                .isZero();
        assertThat(bench.transaction().retained()).extracting(Row::version).containsExactly(3L);
    }

    @Test
    @Promise(19)
    void theUsageCountsWhatLivesAlone() {
        Draft draft = bench.draft();
        assertThat(commands(draft).usage("ns")).isEqualTo(new Amounts(2, 2, 18));
        assertThat(commands(draft).usage("nothing")).isEqualTo(new Amounts(0, 0, 0));
        commands(draft).purge(GroupRange.ALL, NOW, PurgeBudget.of(10));
        assertThat(commands(draft).usage("ns")).isEqualTo(new Amounts(2, 2, 18));
        assertThat(commands(draft).clear(GroupRange.only("ns:a")).more()).isFalse();
        assertThat(commands(draft).usage("ns")).isEqualTo(new Amounts(1, 1, 9));
    }

    private void add(Row row) {
        bench.transaction().rows().put(row.key(), row);
    }

    private CommandRunner commands(Draft draft) {
        return new CommandRunner(draft, bench.transaction());
    }
}
