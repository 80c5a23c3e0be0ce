package dev.ttlstore.engine;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What groups, scans and walks over expiries take in. */
class RangeTests {

    private static final String KEY_SIGN = "\uD83D\uDD11";

    @Test
    void allGroupsAreInTheRangeOfAll() {
        assertThat(new String[] {"a", "\u0001", KEY_SIGN, "\uFFFF"}).allMatch(GroupRange.ALL::contains);
        assertThat(GroupRange.prefix("")).isEqualTo(GroupRange.ALL);
        assertThat(GroupRange.ALL.isOneGroup()).isFalse();
    }

    @Test
    @Promise({12, 18})
    void theRangeOfAPrefixHasWhatBeginsWithIt() {
        GroupRange range = GroupRange.prefix("ab");
        assertThat(new String[] {"ab", "ab\u0001", "abc", "ab" + KEY_SIGN, "ab\uFFFF"})
                .allMatch(range::contains);
        assertThat(new String[] {"a", "aa", "ac", "b", "Ab", "", KEY_SIGN}).noneMatch(range::contains);
        assertThat(range.isOneGroup()).isFalse();
    }

    @Test
    @Promise(18)
    void theRangeOfOneGroupHasThatGroupAlone() {
        GroupRange range = GroupRange.only("ab");
        assertThat(range.contains("ab")).isTrue();
        assertThat(new String[] {"a", "ab\u0001", "abc", "aB", "ac"}).noneMatch(range::contains);
        assertThat(range.isOneGroup()).isTrue();
    }

    @Test
    @Promise(12)
    void aScanTakesInItsFirstKeyAndNotTheOneBehindIt() {
        Scan scan = Scan.keys("group", "b", "d", false, 0, 10);
        assertThat(new String[] {"b", "b\u0001", "c", "c" + KEY_SIGN}).allMatch(key -> scan.contains(row(key)));
        assertThat(new String[] {"", "a", "a" + KEY_SIGN, "d", "e"}).noneMatch(key -> scan.contains(row(key)));
        assertThat(Scan.keys("group", "", null, false, 0, 10).contains(row(KEY_SIGN)))
                .isTrue();
    }

    @Test
    @Promise(12)
    void theRestOfAScanBeginsRightBehindItsLastKey() {
        Scan rest = Scan.keys("group", "b", "d", false, 5, 10).after(row("c"));
        assertThat(rest.contains(row("c"))).isFalse();
        assertThat(rest.contains(row("c\u0001"))).isTrue();
        assertThat(rest).isEqualTo(Scan.keys("group", "c\u0001", "d", false, 5, 10));
    }

    @Test
    @Promise(12)
    void theRestOfAReversedScanEndsRightBeforeItsLastKey() {
        Scan rest = Scan.keys("group", "b", null, true, 5, 10).after(row("c"));
        assertThat(rest.contains(row("c"))).isFalse();
        assertThat(rest.contains(row("b" + KEY_SIGN))).isTrue();
        assertThat(rest).isEqualTo(Scan.keys("group", "b", "c", true, 5, 10));
    }

    @Test
    @Promise(6)
    void theFirstPartOfAScanTakesInTheKeyThatItEndsWith() {
        Scan part = Scan.keys("group", "b", null, false, 5, 10).upTo(row("c"));
        assertThat(part.contains(row("c"))).isTrue();
        assertThat(part).isEqualTo(Scan.keys("group", "b", "c\u0001", false, 5, 10));
        assertThat(Scan.keys("group", "", "d", true, 5, 10).upTo(row("c")))
                .isEqualTo(Scan.keys("group", "c", "d", true, 5, 10));
    }

    @Test
    @Promise(6)
    void theLastRowOfAScanIsTheFirstInTheOppositeDirection() {
        assertThat(Scan.keys("group", "b", "d", false, 5, 10).last())
                .isEqualTo(Scan.keys("group", "b", "d", true, 5, 1));
        assertThat(Scan.keys("group", "b", "d", true, 5, 10).last())
                .isEqualTo(Scan.keys("group", "b", "d", false, 5, 1));
    }

    @Test
    void onlyAScanOfValuesHasAllItsRowsInOnePage() {
        Scan values = Scan.values("group", 5);
        assertThat(values.isWhole()).isTrue();
        assertThat(values.isByKey()).isTrue();
        assertThat(values.contains(row("b"))).isTrue();
        assertThat(values.contains(row("b").withExpiry(5))).isFalse();
        assertThat(values.comparator().compare(row("a"), row("b"))).isNegative();
        assertThat(Scan.group("group", 5, Integer.MAX_VALUE).isWhole()).isFalse();
    }

    @Test
    void aScanAtAnotherTimeIsTheSameOtherwise() {
        assertThat(Scan.keys("group", "b", "d", true, 5, 10).at(6))
                .isEqualTo(Scan.keys("group", "b", "d", true, 6, 10));
    }

    @Test
    @Promise(1)
    void whatExpiresNowHasExpired() {
        ExpiryScan expired = ExpiryScan.expired(GroupRange.ALL, 1_000, 10);
        assertThat(expired.from()).isEqualTo(Long.MIN_VALUE);
        assertThat(expired.to()).isEqualTo(1_001);
    }

    @Test
    void aScanByCreationContinuesAfterARowAlsoIfItIsPutAgain() {
        Row last = new Row(new RowKey("group", "b"), new byte[0], 5, 100, 100, Row.NEVER);
        Scan rest = Scan.created("group", 101, 10).after(last);
        assertThat(rest.contains(last.withVersion(6))).isFalse();
        assertThat(rest.contains(new Row(new RowKey("group", "c"), new byte[0], 1, 100, 100, Row.NEVER)))
                .isTrue();
        assertThat(rest.contains(new Row(new RowKey("group", "c"), new byte[0], 1, 101, 101, Row.NEVER)))
                .isFalse();
    }

    @Test
    void aScanOfRetainedRowsBeginsWithItsTimeAndContinuesWithLaterVersions() {
        Row first = new Row(new RowKey("group", "b"), new byte[0], 5, 0, 0, 100);
        Scan scan = Scan.retained(GroupRange.ALL, 100, 101, 10);
        assertThat(scan.contains(first)).isTrue();
        assertThat(scan.contains(first.withExpiry(99))).isFalse();
        assertThat(scan.contains(first.withExpiry(101))).isFalse();
        assertThat(scan.after(first).contains(first)).isFalse();
        assertThat(scan.after(first).contains(first.withVersion(6))).isTrue();
    }

    @Test
    void theGroupsAfterOneAreTheRestOfTheRange() {
        GroupRange rest = GroupRange.prefix("a").after("ab");
        assertThat(rest.contains("ab")).isFalse();
        assertThat(rest.contains("abc")).isTrue();
        assertThat(rest.contains("b")).isFalse();
    }

    private static Row row(String key) {
        return new Row(new RowKey("group", key), new byte[0], 1, 0, 0, Row.NEVER);
    }
}
