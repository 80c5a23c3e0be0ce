package dev.ttlstore.engine;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What one commit does: requests of several callers, or a command, or what a transaction has decided.
 *
 * @param settings what all commits share
 * @param requests the requests, in their order. Each is decided by what the earlier ones have left. If one fails, the others do not
 * @param command a command; null if there is none
 * @param decided what a transaction writes; null if this is none
 * @param read what it was decided by; null if this is none
 */
public record Batch(
        CommitSettings settings,
        List<Request> requests,
        @Nullable Command<?> command,
        @Nullable WriteSet decided,
        @Nullable EngineSnapshot read) {

    /** With this many bytes of values that are loaded, callers share no commit. */
    public static final long MOST_LOADED = 8 * 1024 * 1024;

    /**
     * Runs requests.
     *
     * @param settings what all commits share
     * @param requests the requests
     * @return the batch
     */
    public static Batch of(CommitSettings settings, List<Request> requests) {
        return new Batch(settings, requests, null, null, null);
    }

    /**
     * Runs a command.
     *
     * @param settings what all commits share
     * @param command the command
     * @return the batch
     */
    public static Batch of(CommitSettings settings, Command<?> command) {
        return new Batch(settings, List.of(), command, null, null);
    }

    /**
     * Commits a transaction.
     *
     * @param settings what all commits share
     * @param decided what it writes
     * @param read what it was decided by
     * @return the batch
     */
    public static Batch of(CommitSettings settings, WriteSet decided, EngineSnapshot read) {
        return new Batch(settings, List.of(), null, decided, read);
    }

    /**
     * Returns the rows that the requests look at.
     *
     * @return their names, each once
     */
    public Collection<RowKey> keys() {
        if (requests.size() == 1) {
            return requests.get(0).keys();
        }
        Set<RowKey> keys = new LinkedHashSet<>();
        requests.forEach(request -> keys.addAll(request.keys()));
        return keys;
    }
}
