package dev.ttlstore.internal.commit;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Row;

/** Decides how the expiry of an entry follows from the entry that a write finds. */
@FunctionalInterface
public interface ExpiryRule {

    /** Keeps the expiry of the live entry, of which there must be one. */
    ExpiryRule KEEP = (draft, live) -> draft.expiryOf(Objects.requireNonNull(live));

    /**
     * Decides.
     *
     * @param draft the commit in progress
     * @param live the entry before the write; null if there is none
     * @return the expiry after the write
     */
    ExpiryTime of(Draft draft, @Nullable Row live);
}
