package dev.ttlstore.spring.session;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What Spring Session's own tests ask of a repository with an index, and what the contract says beyond them; on each engine. */
abstract class StoreSessionContract extends SessionKit {

    @AfterEach
    void end() {
        store().close();
    }

    @Nested
    class Attributes extends SessionAttributesContract {}

    @Nested
    class Times extends SessionTimesContract {}

    @Nested
    class Index extends SessionIndexContract {}

    @Nested
    class Id extends SessionIdContract {}

    @Nested
    class Modes extends SessionModesContract {}

    @Nested
    class Events extends SessionEventsContract {}

    @Nested
    class Bytes extends SessionBytesContract {}

    @Nested
    class Unreadable extends SessionUnreadableContract {}
}
