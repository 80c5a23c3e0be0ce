package dev.ttlstore.verification;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A fault in a store's data. It contains names, but never values.
 *
 * @param kind what kind of thing is wrong
 * @param group the full name of the group; null if it is not about a group, or if the name cannot be read
 * @param key the key; null if it is not about one entry, or if the key cannot be read
 * @param problem what is wrong, as one sentence without a full stop
 * @since 0.1
 * @see VerificationReport
 * @see RepairReport
 */
public record Finding(
        Kind kind, @Nullable String group, @Nullable String key, String problem) {

    /**
     * Checks the components.
     *
     * @param kind what kind of thing is wrong
     * @param group the full name of the group
     * @param key the key
     * @param problem what is wrong, as one sentence without a full stop
     */
    public Finding {
        Objects.requireNonNull(kind, "'kind' must not be null");
        Objects.requireNonNull(problem, "'problem' must not be null");
    }

    /**
     * Returns what to do about it.
     *
     * @return one sentence without a full stop
     */
    public String remedy() {
        return kind.remedy;
    }

    /** The kinds of findings. */
    public enum Kind {
        /** Pages or tables are damaged. Entries may be missing, or reading them fails. */
        STRUCTURE(
                "Restore a backup, or repair the file, which saves every entry that can be read. On PostgreSQL, see its"
                        + " documentation on data corruption"),

        /** An index and its rows differ. Entries may be missing from reads that use it, or may never be removed. */
        INDEX("Repair the file, which builds the indexes again. On PostgreSQL, run REINDEX"),

        /** The name of a group or a key is not one that a store accepts, so nobody can ask for the entry. */
        NAME("Repair the file, which moves the row to the side file. On PostgreSQL, delete the row by hand"),

        /** A value does not match its checksum. Reading it fails, or finds nothing. Only in files. */
        VALUE("Put or delete the entry, or repair the file, which moves the row to the side file, or restore a backup"),

        /** Times contradict each other. The entry may never be removed, or be missing from the list of expiries. */
        TIMES("Repair the file, which corrects them. On PostgreSQL, correct the row by hand"),

        /** A version is ahead of the store's sequence, so it could be used a second time. */
        VERSION(
                "Repair the file, which moves the sequence, or the row to the side file if its checksum says that it was changed. On PostgreSQL, correct the row by hand"),

        /** The usage of a namespace is not the sum of its entries, so its quota is too strict or too generous. */
        USAGE(
                "Open the file again, which counts the entries. On PostgreSQL, delete the rows of the table of usages while no instance runs"),

        /** A delivery has no subscriber, so nobody will handle or remove it. */
        ORPHAN("Repair the file, which moves it to the side file. On PostgreSQL, delete it by hand"),

        /** The deliveries of a key do not wait in line for each other, so one is never made, or two are at once. */
        ORDER(
                "Repair the file, which puts them in line. On PostgreSQL, correct the rows by hand while no instance runs"),

        /** A row is in another slot than that of its group, so nobody can find it. Only on PostgreSQL. */
        SLOT("Find out what has written it, then delete the row by hand");

        private final String remedy;

        Kind(String remedy) {
            this.remedy = remedy;
        }
    }
}
