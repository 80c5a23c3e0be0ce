package dev.ttlstore.engine;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one commit does.
 *
 * @since 0.1
 */
public sealed interface Batch {

    /** With this many bytes of values that are loaded, callers share no commit. */
    long MOST_LOADED = 8 * 1024 * 1024;

    /**
     * Returns what all commits share.
     *
     * @return the settings
     */
    CommitSettings settings();

    /**
     * Requests of several callers. Each is decided by what the earlier ones have left. If one fails, the others do not.
     *
     * @param settings what all commits share
     * @param requests the requests, in their order
     */
    record Requests(CommitSettings settings, List<Request> requests) implements Batch {

        /**
         * Returns the rows that the requests look at.
         *
         * @return their names, each once
         */
        public Collection<RowKey> keys() {
            if (requests.size() == 1) {
                return requests.get(0).keys();
            }
            Set<RowKey> keys = new LinkedHashSet<>(2 * requests.size());
            requests.forEach(request -> request.addKeys(keys));
            return keys;
        }
    }

    /**
     * A command, alone.
     *
     * @param settings what all commits share
     * @param command the command
     */
    record Run(CommitSettings settings, Command<?> command) implements Batch {}

    /**
     * What a transaction has decided.
     *
     * @param settings what all commits share
     * @param writes what it writes
     * @param read what it was decided by
     */
    record Decided(CommitSettings settings, WriteSet writes, EngineSnapshot read) implements Batch {}
}
