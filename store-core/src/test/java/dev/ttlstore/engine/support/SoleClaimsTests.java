package dev.ttlstore.engine.support;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryClaims;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Where there is one node, whatever is due belongs to it. */
@Promise(17)
class SoleClaimsTests {

    private final FakeDeliveryTable table = new FakeDeliveryTable();
    private final DeliveryClaims claims = new SoleClaims(table);

    @Test
    void whatIsDueIsClaimedAgainAndAgainOldestFirst() {
        new DeliveryLines(table).record("mail", List.of(row("a", 3), row("b", 1), row("a", 2), row("c", 9)));
        assertThat(claims.claim("mail", 5, 100, 10)).extracting(Delivery::id).containsExactly(2L, 1L);
        assertThat(claims.claim("mail", 6, 100, 1)).extracting(Delivery::id).containsExactly(2L);
        claims.renew("mail", 7, 100);
        claims.release("mail", 8);
        assertThat(claims.claim("mail", 9, 100, 10)).extracting(Delivery::id).containsExactly(2L, 1L, 4L);
    }

    @Test
    void aHandlerIsSeenByEachCallAndNotBefore() {
        assertThat(claims.lastSeen("mail")).isEqualTo(DeliveryClaims.UNSEEN);
        assertThat(claims.claim("mail", 5, 100, 10)).isEmpty();
        assertThat(claims.lastSeen("mail")).isEqualTo(5);
        claims.renew("mail", 6, 100);
        assertThat(claims.lastSeen("mail")).isEqualTo(6);
        claims.release("mail", 8);
        claims.release("mail", 7); // it had ended before
        assertThat(claims.lastSeen("mail")).isEqualTo(8);
        assertThat(claims.lastSeen("audit")).isEqualTo(DeliveryClaims.UNSEEN);
    }

    /** Otherwise nothing that it leaves would ever be too much. */
    @Test
    void aHandlerWasNotSeenInTheFuture() {
        claims.renew("mail", 2 * ClockLeap.MOST_MILLIS, Long.MAX_VALUE);
        claims.release("mail", 5);
        assertThat(claims.lastSeen("mail")).isEqualTo(5);
    }

    private static Row row(String key, long expiresAt) {
        return new Row(new RowKey("group", key), new byte[0], 1, 0, 0, expiresAt);
    }
}
