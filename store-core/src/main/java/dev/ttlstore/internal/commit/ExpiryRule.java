package dev.ttlstore.internal.commit;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;

/** Decides how the expiry of an entry follows from the entry that a write finds. */
@FunctionalInterface
public interface ExpiryRule {

    /** Keeps the expiry of the live entry, of which there must be one. */
    ExpiryRule KEEP = (live, current) -> current;

    /**
     * Decides.
     *
     * @param live the entry before the write; null if there is none
     * @param current the expiry of the entry; {@link ExpiryTime#NEVER} if there is none
     * @return the expiry after the write
     */
    ExpiryTime of(@Nullable Row live, ExpiryTime current);
}
