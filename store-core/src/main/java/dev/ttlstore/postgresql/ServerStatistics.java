package dev.ttlstore.postgresql;

import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.EngineStats.NodeState;
import dev.ttlstore.engine.EngineStats.Sizes;

/**
 * What the server counts of the tables, and what keeps it from its work. Thread-safe.
 *
 * @param node this node
 * @param schema the name of the schema
 */
record ServerStatistics(NodeContext node, String schema) {

    private static final Logger log = LoggerFactory.getLogger(ServerStatistics.class);

    private static final String SIZE = """
            SELECT sum(pg_total_relation_size(c.oid::regclass))
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ?::name AND c.relkind = 'r'
            """;

    private static final String SIZE_ON_SERVERS = """
            SELECT sum(citus_total_relation_size(p.logicalrelid))
              FROM pg_dist_partition p
              JOIN pg_class c ON c.oid = p.logicalrelid::oid
              JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = ?::name
            """;

    /** What keeps the server from vacuuming, in milliseconds, and how many rows were updated, and how many of them in place. */
    private static final String STATE = """
            SELECT (SELECT floor(1000::numeric * extract(epoch FROM clock_timestamp() - min(t.since)))::bigint
                      FROM (SELECT a.xact_start AS since
                              FROM pg_stat_activity a
                             WHERE (a.backend_xmin IS NOT NULL OR a.backend_xid IS NOT NULL) AND a.pid <> pg_backend_pid()
                             UNION ALL
                            SELECT p.prepared FROM pg_prepared_xacts p) t),
                   s.n_tup_upd, s.n_tup_hot_upd
              FROM (SELECT sum(u.n_tup_upd)::bigint AS n_tup_upd, sum(u.n_tup_hot_upd)::bigint AS n_tup_hot_upd
                      FROM pg_stat_user_tables u
                     WHERE u.schemaname = ?::name AND u.relname = 'entry') s
            """;

    private static final String UNUSUAL_DEFAULTS = """
            SELECT name, setting FROM pg_catalog.pg_settings
             WHERE (name = 'default_transaction_isolation' AND setting <> 'read committed')
                OR (name = 'default_transaction_read_only' AND setting <> 'off')
             ORDER BY name
            """;

    /**
     * Adds a look at what transactions are unless they begin otherwise, and logs what slows commits down: one that is sent as one text
     * takes the defaults as they are, so with unusual ones each commit begins a transaction of its own first.
     */
    static Script lookAtDefaults(Script script) {
        return script.query(
                UNUSUAL_DEFAULTS,
                row -> log.info(
                        "Each write takes more round trips, because '{}' is '{}' for the role of the store; change it with"
                                + " ALTER ROLE … SET …",
                        row.getString(1),
                        row.getString(2)));
    }

    /** Returns the sizes of the tables. */
    Sizes sizes() {
        String query = node.isDistributed() ? SIZE_ON_SERVERS : SIZE;
        return node.connections().one(query, row -> new Sizes(row.getLong(1), 0), schema);
    }

    /** Returns the state of this node: what depends on others, and how it commits. */
    NodeState state(Coordination nodes, Map<String, Long> lockedCommits) {
        return node.connections()
                .one(
                        STATE,
                        row -> new NodeState(
                                node.id(),
                                nodes.others(),
                                nodes.isNotified(),
                                node.clock().behind(),
                                Math.max(0, row.getLong(1)),
                                row.getLong(2) == 0 ? null : (double) row.getLong(3) / row.getLong(2),
                                lockedCommits),
                        schema);
    }
}
