package dev.ttlstore.postgresql;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.TransactionConflictException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Quotas in a transaction of the application: exact, also beside the writes of others. */
@Promise({9, 10, 16, 18, 19})
@Tag("postgresql")
class JoinedQuotaTests extends JoinedStore {

    @Test
    void quotasAreExact() throws Exception {
        Scope scope = store.scope("tenant", new Quota(2, 0, 0));
        transactions.run(transaction -> {
            scope.group("group").put("a", "value");
            scope.group("group").put("b", "value");
            assertThatThrownBy(() -> scope.group("group").put("c", "value")).isInstanceOf(QuotaExceededException.class);
        });
        assertThat(scope.usage().keys()).isEqualTo(2);
        assertThat(other.scope("tenant").usage().keys()).isEqualTo(2);
        assertThatThrownBy(() ->
                        transactions.run(transaction -> scope.group("group").put("c", "value")))
                .isInstanceOf(QuotaExceededException.class);
    }

    @Test
    void othersMayWriteInTheScopeAsLongAsTheQuotaHasRoomForAll() throws Exception {
        Scope scope = store.scope("tenant", new Quota(3, 0, 0));
        TextGroup beside = other.scope("tenant", new Quota(3, 0, 0)).group("group");
        TextGroup within = scope.group("group");
        transactions.run(transaction -> {
            within.put("a", "value");
            beside.put("b", "value");
            beside.put("c", "value");
        });
        assertThat(within.keys()).containsExactly("a", "b", "c");
        assertThat(scope.usage().keys()).isEqualTo(3);
        beside.delete("c");
        assertThatThrownBy(() -> transactions.run(transaction -> {
                    within.put("d", "value");
                    beside.put("c", "value");
                }))
                .isInstanceOf(TransactionConflictException.class)
                .hasMessageContaining("quota");
        assertThat(within.keys()).containsExactly("a", "b", "c");
        // What does not make it grow is within a quota that others have used up.
        transactions.run(transaction -> {
            within.put("a", "other");
            within.delete("b");
            beside.delete("c");
            beside.put("e", "value");
        });
        assertThat(within.keys()).containsExactly("a", "e");
        assertThat(scope.usage().keys()).isEqualTo(2);
    }
}
