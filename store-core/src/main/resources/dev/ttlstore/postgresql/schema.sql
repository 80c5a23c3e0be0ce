-- The tables of TTL Store on PostgreSQL, layout 2.
--
-- The store creates them itself when it opens. If its role may not do that, apply this file as an administrator, give
-- the role the rights below, and open the store with initializeSchema(false). To use a schema of another name, replace
-- "ttl_store" throughout.
--
-- Names of groups and keys are compared byte by byte (COLLATE "C"). Times are milliseconds since the epoch. Every key
-- starts with the slot, so that a distributed database can keep each slot on one of its servers.

CREATE SCHEMA IF NOT EXISTS ttl_store;

-- The layouts that the tables serve, and how many slots there are, which never changes. A newer version that adds to the tables
-- what it needs, without disturbing the version before, adds a row. So both run side by side during a rolling update. It removes the
-- row of a version that the tables no longer serve.
CREATE TABLE IF NOT EXISTS ttl_store.layout (
    version integer NOT NULL PRIMARY KEY,
    slots   integer NOT NULL
);

-- One row for each slot. A commit locks those of its slots. It never updates them: beside an old snapshot, a row that is updated with
-- each commit slows all commits down.
CREATE TABLE IF NOT EXISTS ttl_store.slot (
    slot integer NOT NULL PRIMARY KEY
);

-- The entries. "due_at" is the place of the row in the expiry index: never after "expires_at", and before it if a renewal
-- has left the index unchanged, which keeps renewals cheap.
CREATE TABLE IF NOT EXISTS ttl_store.entry (
    slot       integer NOT NULL,
    grp        text    COLLATE "C" NOT NULL,
    key        text    COLLATE "C" NOT NULL,
    version    bigint  NOT NULL,
    created_at bigint  NOT NULL,
    updated_at bigint  NOT NULL,
    expires_at bigint,
    due_at     bigint,
    value      bytea   NOT NULL,
    PRIMARY KEY (slot, grp, key),
    CHECK ((due_at IS NULL) = (expires_at IS NULL) AND due_at <= expires_at)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);

CREATE INDEX IF NOT EXISTS entry_due ON ttl_store.entry (slot, due_at, grp, key) WHERE due_at IS NOT NULL;

-- The commits: one row for each slot of a commit, kept for some minutes. "seq" is the last number that the commit has used
-- and "n" how many numbers from there on are taken. The newest row of a slot is never deleted.
CREATE TABLE IF NOT EXISTS ttl_store.log (
    slot       integer NOT NULL,
    seq        bigint  NOT NULL,
    n          bigint  NOT NULL,
    at         bigint  NOT NULL,
    batch      uuid    NOT NULL,
    due        bigint,
    deliveries boolean NOT NULL,
    changes    bytea,
    PRIMARY KEY (slot, seq)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Expired entries that are kept for a while.
CREATE TABLE IF NOT EXISTS ttl_store.retained (
    slot       integer NOT NULL,
    grp        text    COLLATE "C" NOT NULL,
    key        text    COLLATE "C" NOT NULL,
    version    bigint  NOT NULL,
    created_at bigint  NOT NULL,
    updated_at bigint  NOT NULL,
    expires_at bigint  NOT NULL,
    value      bytea   NOT NULL,
    PRIMARY KEY (slot, expires_at, grp, key, version)
);

CREATE INDEX IF NOT EXISTS retained_group ON ttl_store.retained (slot, grp, expires_at);

-- The usage of namespaces that have a quota: a row for each group, and one with an empty group for their sum.
CREATE TABLE IF NOT EXISTS ttl_store.usage (
    slot      integer NOT NULL,
    namespace text    COLLATE "C" NOT NULL,
    grp       text    COLLATE "C" NOT NULL,
    keys      bigint  NOT NULL,
    bytes     bigint  NOT NULL,
    groups    bigint  NOT NULL,
    PRIMARY KEY (slot, namespace, grp)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);

-- What one node at a time does: purge a slot, or handle the deliveries of a slot to a subscriber.
-- The role "leap" says that the server's clock has leapt ahead, and which time would be right ("until").
-- The role "timeline" remembers the system identifier ("until") and the timeline ("mark") of the server that gave the numbers of a slot.
CREATE TABLE IF NOT EXISTS ttl_store.lease (
    slot  integer NOT NULL,
    role  text    COLLATE "C" NOT NULL,
    node  uuid,
    until bigint  NOT NULL,
    mark  bigint,
    PRIMARY KEY (slot, role)
) WITH (fillfactor = 50);

-- The subscribers to expired entries, all in slot 0.
CREATE TABLE IF NOT EXISTS ttl_store.subscriber (
    slot           integer NOT NULL,
    name           text    COLLATE "C" NOT NULL,
    groups_from    text    COLLATE "C" NOT NULL,
    groups_to      text    COLLATE "C",
    name_in_scopes text    COLLATE "C",
    PRIMARY KEY (slot, name)
);

-- Expiries that wait for a subscriber's handler, or that it has failed to handle. "next_at" is null for a dead letter, and
-- the largest number for a delivery that waits for an earlier one of its key.
CREATE TABLE IF NOT EXISTS ttl_store.delivery (
    slot       integer NOT NULL,
    subscriber text    COLLATE "C" NOT NULL,
    id         bigint  NOT NULL,
    grp        text    COLLATE "C" NOT NULL,
    key        text    COLLATE "C" NOT NULL,
    version    bigint  NOT NULL,
    expires_at bigint  NOT NULL,
    attempts   integer NOT NULL,
    next_at    bigint,
    error      text,
    value      bytea   NOT NULL,
    PRIMARY KEY (slot, id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);

CREATE INDEX IF NOT EXISTS delivery_next ON ttl_store.delivery (slot, subscriber, next_at, id);

-- Of the subscriber only the beginning, because all three names at their full length are too much for an index.
CREATE INDEX IF NOT EXISTS delivery_line ON ttl_store.delivery (slot, left(subscriber, 100), grp, key, id)
 WHERE next_at IS NOT NULL;

CREATE INDEX IF NOT EXISTS delivery_oldest ON ttl_store.delivery (slot, subscriber, expires_at, id) WHERE next_at IS NOT NULL;

-- In a database with the extension Citus, the store also runs the next statements, which distribute the tables by slot, unless
-- it is opened with distributed(false). An administrator may run them here. A statement over all slots takes time for each shard,
-- so there are few; take up to 32 for more than four servers.
--
--citus SELECT pg_catalog.create_reference_table('ttl_store.layout');
--citus SELECT pg_catalog.create_distributed_table('ttl_store.slot', 'slot', colocate_with => 'none', shard_count => 8);
--citus SELECT pg_catalog.create_distributed_table('ttl_store.entry', 'slot', colocate_with => 'ttl_store.slot');
--citus SELECT pg_catalog.create_distributed_table('ttl_store.log', 'slot', colocate_with => 'ttl_store.slot');
--citus SELECT pg_catalog.create_distributed_table('ttl_store.retained', 'slot', colocate_with => 'ttl_store.slot');
--citus SELECT pg_catalog.create_distributed_table('ttl_store.usage', 'slot', colocate_with => 'ttl_store.slot');
--citus SELECT pg_catalog.create_distributed_table('ttl_store.lease', 'slot', colocate_with => 'ttl_store.slot');
--citus SELECT pg_catalog.create_distributed_table('ttl_store.subscriber', 'slot', colocate_with => 'ttl_store.slot');
--citus SELECT pg_catalog.create_distributed_table('ttl_store.delivery', 'slot', colocate_with => 'ttl_store.slot');

INSERT INTO ttl_store.layout (version, slots) SELECT 2, 32 WHERE NOT EXISTS (SELECT 1 FROM ttl_store.layout);

INSERT INTO ttl_store.slot (slot) SELECT generate_series(0, 31) ON CONFLICT DO NOTHING;

INSERT INTO ttl_store.lease (slot, role, until) SELECT slot, 'purge', 0 FROM ttl_store.slot ON CONFLICT DO NOTHING;

-- Every slot has a newest commit.
INSERT INTO ttl_store.log (slot, seq, n, at, batch, deliveries)
SELECT slot, 0, 1, 0, '00000000-0000-0000-0000-000000000000', false
  FROM ttl_store.slot
    ON CONFLICT DO NOTHING;

-- The rights that the role of the application needs:
--
-- GRANT USAGE ON SCHEMA ttl_store TO the_role;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ttl_store TO the_role;
--
-- In a schema of layout 1, the store also takes the advisory locks of that layout's instances, which any role of the database can take,
-- and so stop all writes. When no instance runs any more that was started before the update:
--
-- UPDATE ttl_store.layout SET version = 2 WHERE version = 1;
