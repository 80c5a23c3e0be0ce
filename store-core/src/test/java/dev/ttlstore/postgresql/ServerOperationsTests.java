package dev.ttlstore.postgresql;

import org.junit.jupiter.api.Test;

import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.ExpiryRule;
import dev.ttlstore.engine.ExpiryRule.Bound;
import dev.ttlstore.engine.ExpiryRule.Start;
import dev.ttlstore.engine.Operation;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The codes of expiries, which functions.sql has too. */
class ServerOperationsTests {

    private static final int PUT = 1 << 4;

    @Test
    void eachExpiryHasItsCode() {
        for (Start start : Start.values()) {
            for (Bound bound : Bound.values()) {
                Effect put = Effect.put(new byte[0], new ExpiryRule(start, 0, Row.NEVER, bound));
                Operation operation = new Operation(new RowKey("group", "key"), Condition.ALWAYS, put);
                assertThat(ServerOperations.of(operation))
                        .isEqualTo(PUT | start.ordinal() << 8 | bound.ordinal() << 12);
            }
        }
    }
}
