package dev.ttlstore.sqlite;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.exception.Printable;
import dev.ttlstore.exception.StoreFullException;

/**
 * Brings the age index in line with the settings when a store is opened: adds the entries of groups that are new to it,
 * and removes those of groups that are no longer to be in it. Works in small commits. The file notes which groups are
 * complete, so an interrupted run starts again at the next opening.
 *
 * @param engine the engine that is being opened
 */
record AgeIndexing(SqliteEngine engine) {

    private static final Logger log = LoggerFactory.getLogger(AgeIndexing.class);

    /**
     * Makes the index contain the entries of some groups.
     *
     * @param wanted the groups, by full name
     */
    void run(Set<String> wanted) {
        Map<String, Boolean> known = engine.withAges(AgeIndex::known);
        Set<String> maintained = new HashSet<>(wanted);
        for (String group : known.keySet()) {
            if (!wanted.contains(group) && !clear(group)) {
                maintained.add(group);
            }
        }
        for (String group : wanted) {
            if (!known.getOrDefault(group, false)) {
                fill(group);
            }
        }
        boolean unused = engine.withAges(ages -> {
            ages.maintain(maintained);
            return true;
        });
    }

    private void fill(String group) {
        try {
            walk("Indexing", group, AgeIndex.FILL, ages -> ages.mark(group, true));
        } catch (StoreFullException e) {
            throw new StoreFullException(
                    "The entries of group '" + group
                            + "' cannot be indexed by their age, because the disk is full. Free"
                            + " about a quarter of the size of the group, or open the store without the group's age"
                            + " index and maximum age",
                    e);
        }
    }

    /** Returns whether the entries of a group could be removed from the index. On a full disk, they stay up to date in it. */
    private boolean clear(String group) {
        try {
            walk("Removing the age index of", group, AgeIndex.CLEAR, ages -> ages.unmark(group));
            return true;
        } catch (StoreFullException e) {
            log.warn(
                    "The disk is full, so the age index of group '{}' stays until the next opening",
                    Printable.of(group),
                    e);
            return false;
        }
    }

    /** Changes all rows of a group, step by step. The first and the last commit also note how far the index is. */
    private void walk(String what, String group, String change, Consumer<AgeIndex> end) {
        String last = write(ages -> {
            ages.mark(group, false);
            return step(ages, group, change, "", end);
        });
        if (last == null) {
            return;
        }
        log.info("{} group '{}'", what, Printable.of(group));
        while (last != null) {
            String after = last;
            last = write(ages -> step(ages, group, change, after, end));
        }
        log.info("{} group '{}' has ended", what, Printable.of(group));
    }

    private static @Nullable String step(
            AgeIndex ages, String group, String change, String after, Consumer<AgeIndex> end) {
        String last = ages.step(change, group, after);
        if (last == null) {
            end.accept(ages);
        }
        return last;
    }

    private @Nullable String write(Function<AgeIndex, @Nullable String> work) {
        return engine.<@Nullable String>write(transaction -> work.apply(transaction.ages()));
    }
}
