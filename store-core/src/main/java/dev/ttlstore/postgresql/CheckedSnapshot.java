package dev.ttlstore.postgresql;

import dev.ttlstore.engine.EngineSnapshot;

/** A snapshot of this engine, which tells a commit what to check. */
interface CheckedSnapshot extends EngineSnapshot {

    /** Returns what was read, as far as somebody else may have changed it since. */
    ReadSet readSet();
}
