package dev.ttlstore.sqlite;

import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static org.assertj.core.api.Assertions.assertThat;

/** A statement costs what it answers, not what the store holds: none of these steps over the whole table. */
@Promise(6)
class QueryPlanTests {

    private final SqliteSession session = SqliteSession.open(SqliteSession.MEMORY, new SqliteErrors("in memory"));

    @BeforeEach
    void createSchema() {
        SqliteSchema.prepare(session, null);
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void aPurgeFindsItsRowsByTheExpiryIndexInOrder() {
        assertThat(plan(SqliteTransaction.REMOVE_EXPIRED))
                .anyMatch(step -> step.startsWith("SEARCH entry") && step.contains("INDEX entry_expiry (expires_at<?)"))
                .anyMatch(step -> step.startsWith("SEARCH entry") && step.contains("PRIMARY KEY (grp=? AND key=?)"))
                .noneMatch(step -> step.startsWith("SCAN entry"))
                .noneMatch(step -> step.contains("TEMP B-TREE FOR ORDER BY"));
    }

    @Test
    void aReadFindsItsRowByThePrimaryKey() {
        assertThat(plan(SqliteReads.READ)).containsExactly("SEARCH entry USING PRIMARY KEY (grp=? AND key=?)");
    }

    @Test
    void aGroupIsReadInKeyOrderWithoutSorting() {
        assertThat(plan(SqliteReads.READ_GROUP)).containsExactly("SEARCH entry USING PRIMARY KEY (grp=?)");
    }

    @Test
    void aGroupIsCountedWithoutLookingAtOthers() {
        assertThat(plan(SqliteReads.COUNT)).containsExactly("SEARCH entry USING PRIMARY KEY (grp=?)");
    }

    @Test
    void expiredEntriesAreCountedByTheExpiryIndex() {
        assertThat(plan(SqliteReads.TOTALS))
                .anyMatch(step -> step.contains("COVERING INDEX entry_expiry (expires_at<?)"));
    }

    @Test
    void groupsAreFoundByStepsOverThePrimaryKey() {
        assertThat(plan(SqliteReads.GROUPS))
                .anyMatch(step -> step.contains("SEARCH entry USING PRIMARY KEY (grp>?)"))
                .noneMatch(step -> step.startsWith("SCAN entry"));
    }

    @Test
    void clearingAGroupTouchesNoOther() {
        assertThat(plan(SqliteTransaction.REMOVE_GROUP)).containsExactly("SEARCH entry USING PRIMARY KEY (grp=?)");
    }

    private List<String> plan(String sql) {
        return session.call(() -> {
            List<String> steps = new ArrayList<>();
            try (ResultSet result = session.prepare("EXPLAIN QUERY PLAN " + sql).executeQuery()) {
                while (result.next()) {
                    steps.add(result.getString("detail"));
                }
            }
            return steps;
        });
    }
}
