package dev.ttlstore.postgresql;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The channel on which the nodes of a store notify each other, and what they say there. A notification only says that there may be
 * something to read. So a lost or a repeated one does no harm.
 *
 * @param name its name, which depends on the schema
 * @param node the id of this node
 */
record Channel(String name, UUID node) {

    private static final String NOTIFY = "SELECT pg_notify(?::text, ?::text)";

    private static final String COMMITTED = "committed ";

    private static final String LEFT = "left ";

    private static final String TEST = "test ";

    /** Makes a name of fixed length, because the name of a schema may be as long as that of a channel. */
    static Channel of(String schema, UUID node) {
        UUID hash = UUID.nameUUIDFromBytes(schema.getBytes(StandardCharsets.UTF_8));
        return new Channel("ttl_store_" + hash.toString().replace("-", ""), node);
    }

    /** Returns the statement that listens. */
    String listen() {
        return "LISTEN " + name;
    }

    /** Returns the statement that no longer listens. */
    String unlisten() {
        return "UNLISTEN " + name;
    }

    /** Adds a notification that this node has committed. */
    Script committed(Script script) {
        return script.add(NOTIFY, name, COMMITTED + node);
    }

    /** Adds a notification that this node leaves, which also stands for its last commits. */
    Script left(Script script) {
        return script.add(NOTIFY, name, LEFT + node);
    }

    /** Adds a notification for this node itself. */
    Script test(Script script, long number) {
        return script.add(NOTIFY, name, test(number));
    }

    /** Returns what a test of this node says. */
    String test(long number) {
        return TEST + node + " " + number;
    }

    /** Tests whether a notification is a reason to look at the log: it is none of this node, and no test. */
    boolean isNews(String payload) {
        return !payload.startsWith(TEST) && !payload.endsWith(node.toString());
    }
}
