package dev.ttlstore.postgresql;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

/**
 * The nodes that want to be notified, and the channel on which they notify each other. Each has a row in {@code lease}, which ends by itself
 * unless the node extends it. A node that knows of no other one notifies nobody. A notification only says that there may be something to
 * read. So a lost or a repeated one does no harm.
 *
 * <p>A new node is known to the others once they have read the rows again. Until then it goes on looking, for longer ({@link
 * Intervals#known}) than the others rely on what they have read ({@link Intervals#stale}). So no commit falls between. Thread-safe.
 */
final class NodeRegistry {

    /** How long a row lasts. Tests extend it three times meanwhile. */
    private static final long LEASE_MILLIS = 30_000;

    /** How long the row of a dead node stays. */
    private static final long KEPT_MILLIS = 60_000;

    private static final String ROLE = "node ";

    /** How many others are alive, whether this node is registered, the first time at which one ends, and the time before which those of dead nodes end. */
    private static final String ALL = """
            SELECT pg_catalog.count(CASE WHEN p.until > {clock} AND p.role <> ?::text THEN 1 END),
                   pg_catalog.count(CASE WHEN p.until > {clock} AND p.role = ?::text THEN 1 END) > 0,
                   coalesce(min(p.until), {clock}), {clock} - ?
              FROM @lease p
             WHERE p.slot = 0 AND p.role LIKE 'node %'
            """;

    private static final String IS_REGISTERED =
            "SELECT count(*) FROM @lease p WHERE p.slot = 0 AND p.role = ?::text AND p.until > {clock}";

    private static final String REGISTER = """
            INSERT INTO @lease (slot, role, node, until)
            SELECT 0, ?, ?, {clock} + ?
                ON CONFLICT (slot, role) DO UPDATE SET until = excluded.until
            """;

    /** Waits for no lock, or closing would take as long as somebody else's transaction. */
    private static final String LEAVE = """
            DELETE FROM @lease p
             USING (SELECT l.role FROM @lease l WHERE l.slot = 0 AND l.role = ?::text FOR UPDATE SKIP LOCKED) f
             WHERE p.slot = 0 AND p.role = f.role
            """;

    private static final String BURY = """
            DELETE FROM @lease p
             USING (SELECT l.role FROM @lease l
                     WHERE l.slot = 0 AND l.role LIKE 'node %' AND l.until < ?
                       FOR UPDATE SKIP LOCKED) f
             WHERE p.slot = 0 AND p.role = f.role
            """;

    private static final String NOTIFY = "SELECT pg_notify(?::text, ?::text)";

    private static final String COMMITTED = "committed ";

    private static final String LEFT = "left ";

    private static final String TEST = "test ";

    private final NodeContext node;
    private final String channel;
    private final String own;
    private final long staleNanos;

    private volatile int others;
    private volatile boolean registered;
    private volatile long readAt;

    /** Rows that end before this time are of dead nodes and can be removed; 0 if there are none. */
    private volatile long dead;

    NodeRegistry(NodeContext node, String schema, Intervals intervals) {
        this.node = node;
        this.channel = channel(schema);
        this.own = ROLE + node.id();
        this.staleNanos = intervals.stale.toNanos();
        this.readAt = System.nanoTime() - staleNanos - 1; // nothing is known yet
    }

    /** Returns the channel of a schema: a name of fixed length, because the name of a schema may be as long as that of a channel. */
    static String channel(String schema) {
        UUID hash = UUID.nameUUIDFromBytes(schema.getBytes(StandardCharsets.UTF_8));
        return "ttl_store_" + hash.toString().replace("-", "");
    }

    /** Adds the query for all nodes. */
    Script read(Script script) {
        long start = System.nanoTime();
        return script.query(
                ALL,
                row -> {
                    others = row.getInt(1);
                    registered = row.getBoolean(2);
                    dead = row.getLong(3) < row.getLong(4) ? row.getLong(4) : 0;
                    readAt = start;
                },
                own,
                own,
                KEPT_MILLIS);
    }

    /** Tests whether another node may want to be notified, as far as this node knows. */
    boolean hasOthers() {
        return others > 0 || System.nanoTime() - readAt > staleNanos;
    }

    /** Returns how many others there are, as it was when the nodes were last read. */
    int others() {
        return others;
    }

    /** Tests whether the others can see this node, as it was when the nodes were last read. */
    boolean knowsThisNode() {
        return registered;
    }

    /** Reads whether the others can see this node. */
    boolean isRegistered() {
        return node.connections().<Long>one(IS_REGISTERED, row -> row.getLong(1), own) > 0;
    }

    /** Adds the row of this node, or extends it, and then a notification for this node itself. */
    Script test(Script script, long number) {
        return script.add(REGISTER, own, node.id(), LEASE_MILLIS).add(NOTIFY, channel, test(number));
    }

    /** Returns what a test of this node says. */
    String test(long number) {
        return TEST + node.id() + " " + number;
    }

    /** Removes the row of this node. */
    Script leave(Script script) {
        return script.add(LEAVE, own);
    }

    /** Removes the rows of nodes that have died, if there are any. */
    void bury() {
        long before = dead;
        if (before > 0) {
            node.connections().change(BURY, before);
        }
    }

    /** Returns the statement that listens. */
    String listen() {
        return "LISTEN " + channel;
    }

    /** Returns the statement that no longer listens. */
    String unlisten() {
        return "UNLISTEN " + channel;
    }

    /** Adds a notification that this node has committed. */
    Script committed(Script script) {
        return script.add(NOTIFY, channel, COMMITTED + node.id());
    }

    /** Adds a notification that this node leaves, which also stands for its last commits. */
    Script left(Script script) {
        return script.add(NOTIFY, channel, LEFT + node.id());
    }

    /** Tests whether a notification is a reason to look at the log: it is none of this node, and no test. */
    boolean isNews(String payload) {
        return !payload.startsWith(TEST) && !payload.endsWith(node.id().toString());
    }
}
