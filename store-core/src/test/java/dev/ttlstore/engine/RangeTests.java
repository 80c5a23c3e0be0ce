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
        Scan scan = new Scan("group", "b", "d", false, 0, 10);
        assertThat(new String[] {"b", "b\u0001", "c", "c" + KEY_SIGN}).allMatch(scan::contains);
        assertThat(new String[] {"", "a", "a" + KEY_SIGN, "d", "e"}).noneMatch(scan::contains);
        assertThat(new Scan("group", "", null, false, 0, 10).contains(KEY_SIGN)).isTrue();
    }

    @Test
    @Promise(12)
    void theRestOfAScanBeginsRightBehindItsLastKey() {
        Scan rest = new Scan("group", "b", "d", false, 5, 10).after("c");
        assertThat(rest.contains("c")).isFalse();
        assertThat(rest.contains("c\u0001")).isTrue();
        assertThat(rest).isEqualTo(new Scan("group", "c\u0001", "d", false, 5, 10));
    }

    @Test
    @Promise(12)
    void theRestOfAReversedScanEndsRightBeforeItsLastKey() {
        Scan rest = new Scan("group", "b", null, true, 5, 10).after("c");
        assertThat(rest.contains("c")).isFalse();
        assertThat(rest.contains("b" + KEY_SIGN)).isTrue();
        assertThat(rest).isEqualTo(new Scan("group", "b", "c", true, 5, 10));
    }

    @Test
    @Promise(6)
    void theFirstPartOfAScanTakesInTheKeyThatItEndsWith() {
        Scan part = new Scan("group", "b", null, false, 5, 10).upTo("c");
        assertThat(part.contains("c")).isTrue();
        assertThat(part).isEqualTo(new Scan("group", "b", "c\u0001", false, 5, 10));
        assertThat(new Scan("group", "", "d", true, 5, 10).upTo("c"))
                .isEqualTo(new Scan("group", "c", "d", true, 5, 10));
    }

    @Test
    @Promise(6)
    void theLastRowOfAScanIsTheFirstInTheOppositeDirection() {
        assertThat(new Scan("group", "b", "d", false, 5, 10).last()).isEqualTo(new Scan("group", "b", "d", true, 5, 1));
        assertThat(new Scan("group", "b", "d", true, 5, 10).last()).isEqualTo(new Scan("group", "b", "d", false, 5, 1));
    }

    @Test
    void aScanAtAnotherTimeIsTheSameOtherwise() {
        assertThat(new Scan("group", "b", "d", true, 5, 10).with(6, 7))
                .isEqualTo(new Scan("group", "b", "d", true, 6, 7));
    }

    @Test
    @Promise(1)
    void whatExpiresNowHasExpired() {
        ExpiryScan expired = ExpiryScan.expired(GroupRange.ALL, 1_000, 10);
        assertThat(expired.from()).isEqualTo(Long.MIN_VALUE);
        assertThat(expired.to()).isEqualTo(1_001);
    }
}
