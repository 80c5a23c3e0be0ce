package dev.ttlstore.sqlite.crash;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/** What stands at a place. */
record State(String value, @Nullable Instant expiresAt) {

    private static final int SHOWN = 24;

    @Override
    public String toString() {
        String shown =
                value.length() <= SHOWN ? value : value.substring(0, SHOWN) + "… (" + value.length() + " characters)";
        return "'" + shown + "'" + (expiresAt == null ? "" : " until " + expiresAt);
    }
}
