package dev.ttlstore.internal.cache;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.commit.FakeEngine;
import dev.ttlstore.engine.commit.Rows;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What a reader is answered, and what is kept of it, when it meets a commit. One thread plays all the parts. */
class NearCacheTests {

    private static final RowKey KEY = Rows.key("a");
    private static final Row OLD = Rows.permanent("a", 1);
    private static final Row NEW = Rows.permanent("a", 2);
    private static final Row OTHER = Rows.in("other", "b", 1, Row.NEVER);

    private final FakeEngine engine = new FakeEngine(new MovableClock());
    private final NearCache cache = new NearCache(1_000_000, false);
    private final RowCache.Changes changes = cache.changes();

    private @Nullable Row read(RowKey key) {
        return cache.read(key, engine.reads());
    }

    private void begin(Row after) {
        changes.change(after.key(), after);
    }

    private void end(Row after) {
        engine.put(after);
        changes.committed();
    }

    private void commit(Row after) {
        begin(after);
        end(after);
    }

    private void cacheOld() {
        engine.put(OLD);
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isSameAs(OLD);
    }

    private void clear(String group) {
        changes.clear(group);
        engine.rows().keySet().stream().filter(key -> key.group().equals(group)).forEach(engine::remove);
        changes.committed();
    }

    @Test
    void aRowThatWasReadIsAnsweredWithoutTheEngine() {
        cacheOld();
        engine.remove(KEY);
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.counts().hits()).isEqualTo(1);
        assertThat(cache.counts().misses()).isEqualTo(1);
    }

    @Test
    void thatARowIsNotThereIsNotKept() {
        assertThat(read(KEY)).isNull();
        engine.put(OLD);
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.counts().misses()).isEqualTo(2);
        assertThat(cache.counts().hits()).isZero();
    }

    @Test
    @Promise(8)
    void aReaderWhomACommitOvertakesKeepsNothing() {
        engine.put(OLD);
        engine.afterNextRead(() -> commit(NEW));
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isNull();
        assertThat(read(KEY)).isSameAs(NEW);
    }

    @Test
    @Promise(8)
    void aReaderWhomACommitBeginsToOvertakeKeepsNothing() {
        engine.put(OLD);
        engine.afterNextRead(() -> begin(NEW));
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isNull();
        end(NEW);
        assertThat(read(KEY)).isSameAs(NEW);
    }

    @Test
    @Promise(8)
    void aReaderWithinACommitKeepsNothing() {
        engine.put(OLD);
        begin(NEW);
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isNull();
        end(NEW);
        assertThat(read(KEY)).isSameAs(NEW);
    }

    @Test
    @Promise(8)
    void aReaderWhoBeginsWithinACommitAndEndsAfterItKeepsNothing() {
        engine.put(OLD);
        begin(NEW);
        engine.afterNextRead(() -> end(NEW));
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isNull();
    }

    @Test
    @Promise(8)
    void aReaderWhomManyCommitsOvertakeKeepsNothing() {
        engine.put(OLD);
        engine.afterNextRead(() -> {
            commit(NEW);
            commit(Rows.permanent("a", 3));
            assertThat(read(KEY)).isEqualTo(engine.rows().get(KEY));
        });
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(read(KEY)).isEqualTo(engine.rows().get(KEY));
    }

    @Test
    @Promise(8)
    void fromTheBeginningOfACommitOnWhatItChangesIsReadFromTheEngine() {
        cacheOld();
        begin(NEW);
        assertThat(cache.peek(KEY)).isNull();
        engine.put(NEW);
        assertThat(read(KEY)).isSameAs(NEW);
    }

    @Test
    void aRowThatIsReadAndThenChangedIsAtHandAsItStands() {
        cacheOld();
        commit(NEW);
        assertThat(cache.peek(KEY)).isSameAs(NEW);
    }

    @Test
    void aRowThatNobodyHasReadIsNotKeptForItsWriteAlone() {
        commit(NEW);
        assertThat(cache.peek(KEY)).isNull();
        assertThat(cache.counts().bytes()).isZero();
    }

    @Test
    @Promise(8)
    void aRowThatIsRemovedIsNotAtHand() {
        cacheOld();
        changes.change(KEY, null);
        engine.remove(KEY);
        changes.committed();
        assertThat(cache.peek(KEY)).isNull();
        assertThat(read(KEY)).isNull();
    }

    @Test
    @Promise(8)
    void whatAFailedCommitWouldHaveChangedIsReadFromTheEngineAndKeptAgain() {
        cacheOld();
        begin(NEW);
        changes.failed();
        assertThat(cache.peek(KEY)).isNull();
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isSameAs(OLD);
    }

    @Test
    @Promise(8)
    void aCommitThatIsSaidToHaveFailedThoughItStandsIsRead() {
        cacheOld();
        begin(NEW);
        engine.put(NEW);
        changes.failed();
        assertThat(read(KEY)).isSameAs(NEW);
    }

    @Test
    @Promise(8)
    void aReaderWhomAFailedCommitOvertakesKeepsNothing() {
        engine.put(OLD);
        engine.afterNextRead(() -> {
            begin(NEW);
            changes.failed();
        });
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isNull();
    }

    @Test
    void whatAFailedCommitWouldHaveChangedDoesNotComeWithTheNext() {
        cacheOld();
        begin(NEW);
        changes.failed();
        changes.committed();
        assertThat(cache.peek(KEY)).isNull();
    }

    @Test
    @Promise(8)
    void ofAGroupThatIsClearedNothingIsAtHandAndOfOthersAllIs() {
        cacheOld();
        engine.put(OTHER);
        assertThat(read(OTHER.key())).isSameAs(OTHER);
        changes.clear("group");
        assertThat(cache.peek(KEY)).isNull();
        engine.remove(KEY);
        changes.committed();
        assertThat(cache.peek(KEY)).isNull();
        assertThat(read(KEY)).isNull();
        assertThat(cache.peek(OTHER.key())).isSameAs(OTHER);
    }

    @Test
    @Promise(8)
    void aReaderWhomAClearOvertakesKeepsNothingThatIsSeen() {
        engine.put(OLD);
        engine.afterNextRead(() -> clear("group"));
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isNull();
        assertThat(read(KEY)).isNull();
    }

    @Test
    @Promise(8)
    void aReaderWithinAClearKeepsNothing() {
        engine.put(OLD);
        changes.clear("group");
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isNull();
        engine.remove(KEY);
        changes.committed();
        assertThat(cache.peek(KEY)).isNull();
    }

    @Test
    void afterAClearRowsOfTheGroupAreKeptAgain() {
        cacheOld();
        clear("group");
        commit(NEW);
        assertThat(read(KEY)).isSameAs(NEW);
        assertThat(cache.peek(KEY)).isSameAs(NEW);
        commit(OLD);
        assertThat(cache.peek(KEY)).isSameAs(OLD);
    }

    @Test
    void afterAClearThatFailedRowsOfTheGroupAreKeptAgain() {
        cacheOld();
        changes.clear("group");
        changes.failed();
        assertThat(read(KEY)).isSameAs(OLD);
        assertThat(cache.peek(KEY)).isSameAs(OLD);
    }

    @Test
    void aRowOfAClearedGroupMakesRoomWhenItIsAskedFor() {
        cacheOld();
        clear("group");
        assertThat(read(KEY)).isNull();
        assertThat(cache.counts().bytes()).isZero();
    }

    @Test
    @Promise(8)
    void aRowThatStandsThoughItsGroupWasClearedInTheSameCommitIsSeenAsItStands() {
        cacheOld();
        changes.clear("group");
        begin(NEW);
        end(NEW);
        assertThat(cache.peek(KEY)).isSameAs(NEW);
    }

    @Test
    void rowsThatShareAStampCanBeChangedInOneCommit() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) { // more than there are stamps
            rows.add(Rows.permanent("key" + i, 1));
        }
        rows.forEach(this::begin);
        rows.forEach(engine::put);
        changes.committed();
        for (Row row : rows.subList(0, 100)) {
            assertThat(read(row.key())).isSameAs(row);
            assertThat(cache.peek(row.key())).isSameAs(row);
        }
    }

    @Test
    void nearlyAllRowsCanBeKeptWhileOneIsChanged() {
        begin(NEW);
        int kept = 0;
        for (int i = 0; i < 100; i++) {
            Row row = Rows.permanent("key" + i, 1);
            engine.put(row);
            Row unused = read(row.key());
            kept += cache.peek(row.key()) == null ? 0 : 1;
        }
        assertThat(kept).isGreaterThan(95);
    }

    @Test
    void aRowTakesItsValueTwiceItsNamesAndTheObjects() {
        Row row = new Row(Rows.key("ab", "cde"), new byte[1_000], 1, 0, 0, Row.NEVER);
        engine.put(row);
        assertThat(read(row.key())).isSameAs(row);
        assertThat(cache.counts().bytes()).isEqualTo(288 + 10 + 1_000);
    }

    @Test
    void whatIsEvictedMeanwhileIsReadFromTheEngineAndTheCacheStaysWithinItsSize() {
        NearCache small = new NearCache(2_000, false);
        RowCache.Changes ofSmall = small.changes();
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < 100; i++) {
                Row row = Rows.permanent("key" + i, round);
                Row unused = small.read(row.key(), engine.reads());
                ofSmall.change(row.key(), row);
                Row other = small.read(Rows.key("key" + (i + 1)), engine.reads());
                assertThat(other == null ? round : other.version()).isGreaterThanOrEqualTo(round - 1);
                engine.put(row);
                ofSmall.committed();
                assertThat(small.read(row.key(), engine.reads())).isSameAs(row);
            }
        }
        assertThat(small.counts().bytes()).isLessThanOrEqualTo(2_000);
        assertThat(small.counts().evictions()).isGreaterThan(100);
    }

    @Test
    void aRowThatIsTooLargeForTheCacheIsReadAllTheSame() {
        NearCache small = new NearCache(500, false);
        Row large = new Row(KEY, new byte[1_000], 1, 0, 0, Row.NEVER);
        engine.put(large);
        assertThat(small.read(KEY, engine.reads())).isSameAs(large);
        assertThat(small.read(KEY, engine.reads())).isSameAs(large);
        assertThat(small.counts().bytes()).isZero();
    }

    @Test
    void aValueOfWhichFewWouldFitIsNotKept() {
        NearCache large = new NearCache(64 * 1024 * 1024, false);
        Row kept = new Row(KEY, new byte[64 * 1024], 1, 0, 0, Row.NEVER);
        engine.put(kept);
        assertThat(large.read(KEY, engine.reads())).isSameAs(kept);
        assertThat(large.peek(KEY)).isSameAs(kept);

        Row larger = new Row(KEY, new byte[64 * 1024 + 1], 2, 0, 0, Row.NEVER);
        RowCache.Changes replaced = large.changes();
        replaced.change(KEY, larger);
        engine.put(larger);
        replaced.committed();
        assertThat(large.peek(KEY)).isNull();
        assertThat(large.read(KEY, engine.reads())).isSameAs(larger);
        assertThat(large.peek(KEY)).isNull();
        assertThat(large.counts().bytes()).isZero();
    }

    @Test
    void anEngineThatThrowsLeavesNothingBehind() {
        engine.put(OLD);
        engine.afterNextRead(() -> {
            throw new IllegalStateException("on purpose");
        });
        assertThatIllegalStateException().isThrownBy(() -> read(KEY));
        assertThat(cache.peek(KEY)).isNull();
    }

    @Test
    void aCacheOfNothingIsNone() {
        assertThat(RowCache.of(0, false)).isSameAs(RowCache.NONE);
        assertThat(RowCache.of(1, false)).isInstanceOf(NearCache.class);
        assertThat(RowCache.of(0, false).counts()).isEqualTo(new RowCache.Counts(0, 0, 0, 0));
    }
}
