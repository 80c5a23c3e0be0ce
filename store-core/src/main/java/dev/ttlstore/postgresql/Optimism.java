package dev.ttlstore.postgresql;

import java.util.HashSet;
import java.util.Set;

/**
 * Decides whether the next commit is worth an attempt without a lock. After attempts that others have beaten, more and more commits
 * go without one. Used under the writer's lock.
 */
final class Optimism {

    private static final int MAX_DEFEATS = 5;

    /** How many attempts in a row may come too late. */
    private static final int MAX_OVERTAKEN = 8;

    /** How many namespaces are remembered to be counted. Each that is forgotten costs one attempt. */
    private static final int MAX_COUNTED = 10_000;

    private final Set<String> counted = new HashSet<>();
    private int defeats;
    private int overtaken;
    private boolean news;
    private int pause;

    /** Returns whether to try it now. */
    boolean tries() {
        if (pause == 0) {
            return true;
        }
        pause--;
        return false;
    }

    /** Notes that an attempt has succeeded. */
    void won() {
        defeats = 0;
        overtaken = 0;
    }

    /**
     * Notes that commits with higher numbers came first, which have changed something else. PostgreSQL does not hand out locks in the
     * order in which they are asked for. It is worth another attempt at once, which has higher numbers.
     */
    void overtaken() {
        news = true;
        overtaken++;
        if (overtaken == MAX_OVERTAKEN) {
            overtaken = 0;
            beaten();
        }
    }

    /** Notes that another commit came first, or that the commit would have to do more. */
    void beaten() {
        defeats = Math.min(defeats + 1, MAX_DEFEATS);
        pause = 1 << (defeats - 1);
    }

    /** Notes whether the commits of others were found before this one. */
    void found(boolean ofOthers) {
        news = ofOthers;
    }

    /** Returns whether to expect commits of others before the next one. */
    boolean expectsNews() {
        return news;
    }

    /** Notes that the commit turned out to need a lock. */
    void needsLock() {
        pause = Math.max(pause, 1);
    }

    /** Notes that the usage of a namespace is counted, which takes a lock. */
    void counted(String namespace) {
        if (counted.size() >= MAX_COUNTED) {
            counted.clear();
        }
        counted.add(namespace);
    }

    boolean isCounted(String namespace) {
        return counted.contains(namespace);
    }
}
