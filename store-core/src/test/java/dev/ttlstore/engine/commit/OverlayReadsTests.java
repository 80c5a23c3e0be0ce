package dev.ttlstore.engine.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.RowPage;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.engine.tree.TreeReads;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.internal.access.Mutation;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What a transaction sees: what was committed, overlaid by what it has done itself. */
@Promise(8)
class OverlayReadsTests {

    private static final long NOW = Rows.NOW;
    private static final int ALL = 1_000;

    @Test
    void aReadAnswersWhatTheTransactionHasDone() {
        Bench bench = Bench.with(row("a"), row("b"), Rows.expiring("c", 7, NOW), row("e"));
        Draft view = bench.draft();
        Writes.apply(view, put("a"));
        Writes.apply(view, Writes.delete(Rows.key("b")));
        Writes.apply(view, put("d"));
        assertThat(view.reads().get(keys("a", "b", "c", "d", "e", "f"), Reads.NOW))
                .containsOnlyKeys(Rows.key("a"), Rows.key("d"), Rows.key("e"));
        assertThat(view.reads().get(keys("a"), Reads.NOW).values())
                .extracting(Row::version)
                .containsExactly(101L);
    }

    @Test
    void aScanHasNewEntriesBeforeBetweenAndBehindThoseThatWereThere() {
        Draft view = Bench.with(row("b"), row("d")).draft();
        Writes.apply(view, put("a"));
        Writes.apply(view, put("c"));
        Writes.apply(view, put("e"));
        Writes.apply(view, Mutation.put(Rows.key("other", "c"), new byte[0], ExpiryRule.NEVER));
        assertThat(walk(view, scan(false, ALL))).containsExactly("a", "b", "c", "d", "e");
        assertThat(walk(view, scan(true, ALL))).containsExactly("e", "d", "c", "b", "a");
    }

    @Test
    void anEntryBehindThePageWaitsForItsTurn() {
        Draft view = Bench.inPages(2, row("a"), row("b"), row("c")).draft();
        Writes.apply(view, put("bb"));
        Writes.apply(view, put("z"));
        RowPage first = view.reads().page(scan(false, ALL));
        assertThat(names(first.rows())).containsExactly("a", "b");
        assertThat(first.more()).isTrue();
        assertThat(walk(view, scan(false, ALL))).containsExactly("a", "b", "bb", "c", "z");
        assertThat(walk(view, scan(true, ALL))).containsExactly("z", "c", "bb", "b", "a");
    }

    @Test
    void pagesWhoseEntriesAreAllDeletedArePassedOver() {
        Draft view = Bench.inPages(2, row("a"), row("b"), row("c"), row("d"), row("e"))
                .draft();
        for (String key : List.of("a", "b", "c", "d")) {
            Writes.apply(view, Writes.delete(Rows.key(key)));
        }
        assertThat(names(view.reads().page(scan(false, ALL)).rows())).containsExactly("e");
        Writes.apply(view, Writes.delete(Rows.key("e")));
        assertThat(view.reads().page(scan(false, ALL))).isEqualTo(new RowPage(List.of(), false, false));
        assertThat(view.reads().page(scan(true, ALL))).isEqualTo(new RowPage(List.of(), false, false));
    }

    @Test
    void aPageHasNoMoreThanItsLimitAndTellsThatThereIsMore() {
        Draft view = Bench.with(row("c"), row("d")).draft();
        Writes.apply(view, put("a"));
        Writes.apply(view, put("b"));
        RowPage page = view.reads().page(scan(false, 3));
        assertThat(names(page.rows())).containsExactly("a", "b", "c");
        assertThat(page.more()).isTrue();
    }

    @Test
    void aScanKeepsWithinItsBounds() {
        Draft view = Bench.with(row("a"), row("c"), row("f")).draft();
        Writes.apply(view, put("b"));
        Writes.apply(view, put("e"));
        Writes.apply(view, put("g"));
        assertThat(walk(view, Scan.keys("group", "b", "f", false, 0, ALL))).containsExactly("b", "c", "e");
        assertThat(walk(view, Scan.keys("group", "b", "f", true, 0, 1))).containsExactly("e", "c", "b");
    }

    @Test
    @Promise({1, 8})
    void whatHasExpiredOrWasLetExpireIsNotSeen() {
        Draft view = Bench.with(row("a"), Rows.expiring("b", 7, NOW), row("c")).draft();
        Writes.apply(view, Writes.reschedule(Rows.key("a"), ExpiryRule.NOW));
        assertThat(walk(view, scan(false, ALL))).containsExactly("c");
        assertThat(count(view, GroupRange.ALL)).isEqualTo(1);
        Writes.apply(view, Writes.reschedule(Rows.key("c"), ExpiryRule.NOW));
        assertThat(groups(view.reads(), GroupRange.ALL, Reads.NOW)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whateverATransactionDoesItSeesWhatWouldBeCommitted(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            Bench bench = Bench.inPages(random.nextInt(4) + 1);
            for (int i = random.nextInt(30); i > 0; i--) {
                Row row = Rows.in(group(random), key(random), i, random.nextInt(4) == 0 ? NOW : Row.NEVER);
                bench.transaction().rows().put(row.key(), row);
            }
            Draft view = bench.draft();
            for (int i = random.nextInt(20); i > 0; i--) {
                change(view, random);
            }
            Scan scan = Scan.keys(
                    "group", key(random), random.nextBoolean() ? null : key(random), random.nextBoolean(), NOW, 3);
            List<String> seen = walk(view, scan);
            long count = count(view, GroupRange.prefix("g"));
            long countOfOne = count(view, GroupRange.only("group"));
            List<String> groups = groups(view.reads(), GroupRange.ALL, Reads.NOW);

            Bench.store(view, bench.transaction());
            Reads reads = bench.transaction().reads();
            assertThat(seen)
                    .isEqualTo(names(new TreeReads(bench.transaction()::state, () -> Rows.NOW)
                            .page(Scan.keys(
                                    "group", scan.from(), scan.to(), scan.order() == Scan.Order.KEY_REVERSED, NOW, ALL))
                            .rows()));
            assertThat(count).isEqualTo(reads.count(Scan.groups(GroupRange.prefix("g"), NOW, 1)));
            assertThat(countOfOne).isEqualTo(reads.count(Scan.group("group", NOW, 1)));
            assertThat(groups).isEqualTo(groups(reads, GroupRange.ALL, NOW));
        }
    }

    private static void change(Draft view, Random random) {
        RowKey key = Rows.key(group(random), key(random));
        switch (random.nextInt(9)) {
            case 0, 1, 2 -> Writes.apply(view, Writes.delete(key));
            case 3 -> Writes.apply(view, Writes.reschedule(key, ExpiryRule.NOW));
            case 4 -> view.reads().get(List.of(key), Reads.NOW);
            case 5 -> view.clear(GroupRange.only(random.nextInt(4) == 0 ? "group" : "another"));
            default -> Writes.apply(view, Mutation.put(key, new byte[1], ExpiryRule.NEVER));
        }
    }

    @Test
    void theCountsFollowWhatTheTransactionHasDone() {
        Bench bench = Bench.with(row("a"), row("b"), Rows.in("other", "a", 9, Row.NEVER));
        Draft view = bench.draft();
        Writes.apply(view, put("a"));
        Writes.apply(view, Writes.delete(Rows.key("b")));
        Writes.apply(view, Mutation.put(Rows.key("new", "a"), new byte[0], ExpiryRule.NEVER));
        Writes.apply(view, Writes.delete(Rows.key("other", "a")));
        assertThat(count(view, GroupRange.only("group"))).isEqualTo(1);
        assertThat(count(view, GroupRange.ALL)).isEqualTo(2);
        assertThat(groups(view.reads(), GroupRange.ALL, Reads.NOW)).containsExactly("group", "new");
        assertThat(groups(view.reads(), GroupRange.prefix("n"), Reads.NOW)).containsExactly("new");
    }

    @Test
    @Promise({8, 13})
    void clearingRemovesWhatWasThereAndWhatTheTransactionHasPut() {
        Bench bench = Bench.inPages(2, row("a"), row("b"), row("c"), Rows.in("other", "a", 9, Row.NEVER));
        Draft view = bench.draft();
        Writes.apply(view, put("bb"));
        assertThat(view.clear(GroupRange.only("group"))).isEqualTo(4);
        assertThat(view.clear(GroupRange.only("group"))).isZero();
        assertThat(count(view, GroupRange.ALL)).isEqualTo(1);
        assertThat(Bench.kinds(view)).containsExactly("EntryPut", "GroupDeleted");
        Bench.store(view, bench.transaction());
        assertThat(bench.transaction().rows()).containsOnlyKeys(Rows.key("other", "a"));
    }

    @Test
    @Promise({8, 13})
    void clearingManyGroupsTellsEachOfThemAfterWhatHadExpired() {
        Draft draft = Bench.with(
                        Rows.in("ns:b", "a", 1, Row.NEVER),
                        Rows.in("ns:a", "a", 2, Row.NEVER),
                        Rows.in("ns:a", "b", 3, Row.NEVER),
                        Rows.in("ns:c", "a", 4, NOW),
                        Rows.in("other", "a", 5, Row.NEVER))
                .draft();
        assertThat(draft.clear(Namespaces.groups("ns"))).isEqualTo(3);
        assertThat(Bench.events(draft))
                .extracting(event ->
                        event instanceof GroupDeleted deleted ? event.group() + " " + deleted.entries() : event.type())
                .containsExactly("expire", "ns:a 2", "ns:b 1");
    }

    private static Scan scan(boolean reversed, int limit) {
        return Scan.keys("group", "", null, reversed, Reads.NOW, limit);
    }

    private static long count(Draft view, GroupRange groups) {
        return view.reads().count(Scan.groups(groups, Reads.NOW, 1));
    }

    private static List<String> groups(Reads reads, GroupRange groups, long at) {
        return reads.groups(Scan.groups(groups, at, ALL)).stream()
                .map(GroupInfo::group)
                .toList();
    }

    /** All that a walk finds, page by page. */
    private static List<String> walk(Draft view, Scan scan) {
        List<String> found = new ArrayList<>();
        Scan rest = scan;
        while (true) {
            RowPage page = view.reads().page(rest);
            found.addAll(names(page.rows()));
            if (!page.more() || page.rows().isEmpty()) {
                return found;
            }
            rest = rest.after(page.last());
        }
    }

    private static List<String> names(List<Row> rows) {
        return rows.stream().map(row -> row.key().key()).toList();
    }

    private static List<RowKey> keys(String... keys) {
        return List.of(keys).stream().map(Rows::key).toList();
    }

    private static Mutation<Long> put(String key) {
        return Mutation.put(Rows.key(key), Rows.value("new"), ExpiryRule.NEVER);
    }

    private static Row row(String key) {
        return Rows.permanent(key, 7);
    }

    private static String group(Random random) {
        return random.nextInt(3) == 0 ? "another" : "group";
    }

    private static String key(Random random) {
        return String.valueOf((char) ('a' + random.nextInt(20)));
    }
}
