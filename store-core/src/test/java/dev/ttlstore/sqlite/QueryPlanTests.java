package dev.ttlstore.sqlite;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A statement costs what it answers, not what the store holds: none of these steps over the whole table. */
@Promise(6)
class QueryPlanTests {

    private final SqliteSession session = SqliteSession.open(SqliteSession.MEMORY, new SqliteErrors("in memory"));

    @BeforeEach
    void createSchema() {
        SqliteSchema.prepare(session);
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void aPurgeFindsItsRowsByTheExpiryIndexInOrder() {
        assertFindsByTheExpiryIndex(SqliteExpiry.LIST_EXPIRED);
        assertFindsByTheExpiryIndex(SqliteExpiry.REMOVE_EXPIRED);
    }

    private void assertFindsByTheExpiryIndex(String sql) {
        assertThat(plan(sql))
                .anyMatch(step -> step.startsWith("SEARCH entry") && step.contains("INDEX entry_due (due_at<?)"))
                .anyMatch(step -> step.startsWith("SEARCH entry") && step.contains("INTEGER PRIMARY KEY (rowid=?)"))
                .noneMatch(step -> step.startsWith("SCAN entry"))
                .noneMatch(step -> step.contains("TEMP B-TREE FOR ORDER BY"));
    }

    @Test
    @Promise(17)
    void dueDeliveriesAreARangeOfTheirIndex() {
        assertThat(plan(SqliteDeliveries.DUE))
                .containsExactly("SEARCH delivery USING INDEX delivery_due (subscriber=? AND next_at<?)");
    }

    @Test
    @Promise(17)
    void theNextDeliveryOfAKeyIsFoundByOneStep() {
        String first = "SEARCH delivery USING INDEX delivery_live (subscriber=? AND grp=? AND key=?)";
        assertThat(plan(SqliteDeliveryTable.FIRST)).containsExactly(first);
    }

    @Test
    @Promise(17)
    void aNewDeliveryFindsTheOthersOfItsKeyByOneStep() {
        assertThat(plan(SqliteDeliveryTable.BEHIND))
                .contains("SEARCH delivery USING INTEGER PRIMARY KEY (rowid>?)")
                .anyMatch(
                        step -> step.startsWith(
                                "SEARCH earlier EXISTS USING INDEX delivery_live (subscriber=? AND grp=? AND key=? AND rowid<?)"))
                .noneMatch(step -> step.startsWith("SCAN"));
        assertThat(plan(SqliteDeliveryTable.LAST_ID)).containsExactly("SEARCH delivery");
        assertThat(plan(SqliteExpiry.DELIVER_EXPIRED))
                .anyMatch(step -> step.startsWith("SEARCH entry") && step.contains("INDEX entry_due (due_at<?)"))
                .noneMatch(step -> step.startsWith("SCAN entry"));
    }

    @Test
    @Promise(17)
    void deliveriesAreCountedByAnIndexAloneAndTheOldestIsTheFirstOfOne() {
        assertThat(plan(SqliteDeliveries.COUNT_PENDING))
                .singleElement()
                .asString()
                .contains("COVERING INDEX");
        assertThat(plan(SqliteDeliveries.BACKLOG))
                .contains("SEARCH delivery USING INDEX delivery_age (subscriber=?)"); // the first row alone
    }

    @Test
    @Promise(17)
    void nothingAboutDeliveriesLooksAtAllOfThem() {
        for (String sql : List.of(
                SqliteDeliveries.NEXT_AFTER,
                SqliteDeliveries.DEAD,
                SqliteDeliveryTable.ALL_DEAD,
                SqliteDeliveryTable.HASTEN,
                SqliteDeliveryTable.REMOVE_ANY,
                SqliteDeliveries.BACKLOG,
                SqliteDeliveryTable.REMOVE_OLDEST)) {
            assertThat(plan(sql))
                    .noneMatch(step -> step.startsWith("SCAN delivery"))
                    .noneMatch(step -> step.contains("TEMP B-TREE"));
        }
    }

    @Test
    @Promise(17)
    void deliveriesOfGroupsAreRemovedWithoutLookingAtThoseOfOthers() {
        assertThat(plan(SqliteDeliveryTable.REMOVE_IN))
                .anyMatch(step -> step.contains("INDEX delivery_live (subscriber=? AND grp>? AND grp<?)"))
                .anyMatch(step -> step.contains("INDEX delivery_due (subscriber=? AND next_at=?)"))
                .noneMatch(step -> step.startsWith("SCAN delivery"));
    }

    @Test
    @Promise(16)
    void theNextExpiryIsTheFirstInItsIndex() {
        assertThat(plan(SqliteReads.NEXT_DUE)).anyMatch(step -> step.contains("INDEX entry_due"));
    }

    @Test
    void aReadFindsItsRowByItsName() {
        assertThat(plan(SqliteReads.READ)).containsExactly("SEARCH entry USING INDEX entry_name (grp=? AND key=?)");
    }

    @Test
    void aGroupIsCountedWithoutLookingAtOthers() {
        assertThat(plan(SqliteReads.COUNT))
                .containsExactly("SEARCH entry USING INDEX entry_name (grp=? AND key>? AND key<?)");
    }

    @Test
    void expiredEntriesAreCountedByTheExpiryIndex() {
        assertThat(plan(SqliteReads.TOTALS)).anyMatch(step -> step.contains("INDEX entry_due (due_at<?)"));
    }

    @Test
    void groupsAreFoundByStepsOverTheirNames() {
        assertThat(plan(SqliteReads.GROUPS))
                .anyMatch(step -> step.contains("SEARCH entry USING COVERING INDEX entry_name (grp>? AND grp<?)"))
                .noneMatch(step -> step.startsWith("SCAN entry"));
    }

    @Test
    void aRangeIsReadFromEitherEndWithoutSorting() {
        String search = "SEARCH entry USING INDEX entry_name (grp=? AND key>? AND key<?)";
        assertThat(plan(SqliteReads.SCAN)).containsExactly(search);
        assertThat(plan(SqliteReads.SCAN_REVERSED)).containsExactly(search);
        assertThat(plan(SqliteReads.VALUES)).containsExactly("SEARCH entry USING INDEX entry_name (grp=?)");
    }

    @Test
    void groupsAreCountedAndMeasuredWithoutLookingAtOthers() {
        String search = "SEARCH entry USING INDEX entry_name (grp>? AND grp<?)";
        assertThat(plan(SqliteReads.COUNT_RANGE)).containsExactly(search);
        assertThat(plan(SqliteReads.USAGE)).containsExactly(search);
    }

    @Test
    @Promise(7)
    void aWalkOverExpiriesFollowsTheExpiryIndex() {
        String search = "SEARCH entry USING INDEX entry_due ((due_at,grp,key)>(?,?,?) AND due_at<?)";
        assertThat(plan(SqliteReads.EXPIRIES)).containsExactly(search);
    }

    @Test
    @Promise(6)
    void aWalkOverOldEntriesFollowsTheAgeIndex() {
        assertThat(plan(SqliteReads.CREATED))
                .containsExactly("SEARCH entry USING INDEX entry_age (grp=? AND (aged_at,key)>(?,?) AND aged_at<?)");
    }

    @Test
    void theAgeIndexIsChangedAlongTheKeysOfOneGroup() {
        assertThat(plan(AgeIndex.STEP)).containsExactly("SEARCH entry USING INDEX entry_name (grp=? AND key>?)");
        String range = "SEARCH entry USING INDEX entry_name (grp=? AND key>? AND key<?)";
        assertThat(plan(AgeIndex.FILL)).containsExactly(range);
        assertThat(plan(AgeIndex.CLEAR)).containsExactly(range);
    }

    @Test
    void aWalkOverRetainedEntriesFollowsTheirOrder() {
        assertThat(plan(SqliteReads.RETAINED))
                .containsExactly("SEARCH retained USING PRIMARY KEY"
                        + " ((expires_at,grp,key,version)>(?,?,?,?) AND expires_at<?)");
    }

    @Test
    void aPurgeThatRetainsFindsItsRowsAsOneThatDoesNot() {
        assertThat(plan(SqliteExpiry.RETAIN_EXPIRED))
                .anyMatch(step -> step.startsWith("SEARCH entry") && step.contains("INDEX entry_due (due_at<?)"))
                .anyMatch(step -> step.startsWith("SEARCH entry") && step.contains("INTEGER PRIMARY KEY (rowid=?)"))
                .noneMatch(step -> step.startsWith("SCAN entry"))
                .noneMatch(step -> step.contains("TEMP B-TREE FOR ORDER BY"));
    }

    @Test
    @Promise(6)
    void whatWasRenewedIsFoundAmongWhatIsDue() {
        assertThat(plan(SqliteExpiry.MOVE_RENEWED))
                .anyMatch(step -> step.startsWith("SEARCH entry") && step.contains("INDEX entry_due (due_at<?)"))
                .noneMatch(step -> step.startsWith("SCAN entry"))
                .noneMatch(step -> step.contains("TEMP B-TREE FOR ORDER BY"));
    }

    @Test
    void whatIsForgottenIsFoundByItsAge() {
        assertThat(plan(SqliteExpiry.FORGET))
                .anyMatch(step -> step.startsWith("SEARCH retained") && step.contains("PRIMARY KEY (expires_at<?)"))
                .anyMatch(step -> step.startsWith("SEARCH retained")
                        && step.contains("PRIMARY KEY (expires_at=? AND grp=? AND key=? AND version=?)"))
                .noneMatch(step -> step.startsWith("SCAN retained"))
                .noneMatch(step -> step.contains("TEMP B-TREE FOR ORDER BY"));
    }

    @Test
    void whatWasRetainedByAClockThatWasAheadIsFoundByItsAge() {
        assertThat(plan(SqliteCommit.MEND_RETAINED))
                .anyMatch(step -> step.startsWith("SEARCH retained") && step.contains("PRIMARY KEY (expires_at>?)"))
                .noneMatch(step -> step.startsWith("SCAN retained"));
    }

    @Test
    void whatAGroupForgetsIsFoundWithoutTheOthers() {
        assertThat(plan(SqliteExpiry.FORGET_GROUP))
                .anyMatch(
                        step -> step.endsWith("retained USING COVERING INDEX retained_group (grp=? AND expires_at<?)"))
                .noneMatch(step -> step.startsWith("SCAN retained"));
        assertThat(plan(SqliteReads.RETAINED_GROUPS))
                .filteredOn(step -> step.contains("retained"))
                .hasSize(3)
                .allMatch(step -> step.startsWith("SEARCH retained USING COVERING INDEX retained_group (grp"));
    }

    @Test
    void clearingAGroupTouchesNoOther() {
        assertThat(plan(SqliteCommit.REMOVE_GROUP)).containsExactly("SEARCH entry USING INDEX entry_name (grp=?)");
    }

    /** Only for a value without a checksum is another table looked at. */
    private static final List<String> OF_MISSING_CHECKSUM = List.of("SCALAR SUBQUERY 1", "SCAN mark");

    private List<String> plan(String sql) {
        List<String> steps =
                new ArrayList<>(session.bind("EXPLAIN QUERY PLAN " + sql).list(row -> row.getString("detail")));
        steps.removeAll(OF_MISSING_CHECKSUM);
        return steps;
    }
}
