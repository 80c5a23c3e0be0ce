package dev.ttlstore.sqlite;

import java.time.InstantSource;

import dev.ttlstore.engine.HighWater;
import dev.ttlstore.engine.support.OwnerState;

/** Transactions of a session that has no engine. */
final class Transactions {

    private Transactions() {}

    static SqliteCommit of(SqliteSession session) {
        return new SqliteCommit(session, owner(), () -> true, false, Integer.MAX_VALUE);
    }

    static OwnerState owner() {
        return new OwnerState(new HighWater(0, 0), InstantSource.system());
    }
}
