package dev.ttlstore.engine.support;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Deliveries;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(17)
class HandlersSeenTests {

    private final HandlersSeen handlers = new HandlersSeen();

    @Test
    void aHandlerIsSeenByEachCallAndNotBefore() {
        assertThat(handlers.lastSeen("mail")).isEqualTo(Deliveries.UNSEEN);
        handlers.see("mail", 5);
        assertThat(handlers.lastSeen("mail")).isEqualTo(5);
        handlers.see("mail", 8);
        handlers.see("mail", 7); // it had ended before
        assertThat(handlers.lastSeen("mail")).isEqualTo(8);
        assertThat(handlers.lastSeen("audit")).isEqualTo(Deliveries.UNSEEN);
    }

    /** Otherwise nothing that it leaves would ever be too much. */
    @Test
    void aHandlerWasNotSeenInTheFuture() {
        handlers.see("mail", 2 * ClockLeap.MOST_MILLIS);
        handlers.see("mail", 5);
        assertThat(handlers.lastSeen("mail")).isEqualTo(5);
    }
}
