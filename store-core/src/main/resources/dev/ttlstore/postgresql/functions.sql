-- What TTL Store lets PostgreSQL do within the server, for the tables of schema.sql: a commit in one call. The store creates the
-- functions itself when it opens. If its role may not do that, apply this file as an administrator after schema.sql, and give the role
-- the rights below. Without the functions, the store takes more round trips for each commit. To use a schema of another name, replace
-- "ttl_store" throughout.
--
-- The numbers in the names stand for what goes in and what comes out, so that versions of the store run side by side. Each compares the
-- texts with its own, so a text that was released is changed under a new number. The settings make
-- the server look for the newest row of a slot in the index, also before it has statistics of the tables: otherwise it sorts all of them.

-- Changes the usage of a namespace that is counted.
CREATE OR REPLACE FUNCTION ttl_store.count_1(of_slot integer, of_namespace text, of_grp text, more_keys integer, more_bytes bigint)
RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $count$
DECLARE
    g_keys bigint;
BEGIN
    IF more_keys = 0 AND more_bytes = 0 THEN
        RETURN;
    END IF;
    INSERT INTO ttl_store.usage AS u (slot, namespace, grp, keys, bytes, groups)
    VALUES (of_slot, of_namespace, of_grp, more_keys, more_bytes, 0)
        ON CONFLICT (slot, namespace, grp) DO UPDATE SET keys = u.keys + more_keys, bytes = u.bytes + more_bytes
    RETURNING u.keys INTO g_keys;
    UPDATE ttl_store.usage u
       SET keys = u.keys + more_keys, bytes = u.bytes + more_bytes,
           groups = u.groups + (g_keys > 0)::integer - (g_keys - more_keys > 0)::integer
     WHERE u.slot = of_slot AND u.namespace = of_namespace AND u.grp = '';
    IF g_keys = 0 THEN
        DELETE FROM ttl_store.usage u WHERE u.slot = of_slot AND u.namespace = of_namespace AND u.grp = of_grp;
    END IF;
END
$count$;

-- Locks the slots, decides the operations by the rows that are there, and stores, counts and logs what they come to. It decides as
-- the class Decision does. Where it does not know enough, or somebody must be asked, it changes nothing and says why.
--
-- The code of an operation has, from its lowest bits on: 4 for the condition (0 none, 1 absent, 2 live, 3 version, 4 value, 5 UTF-8, 6 created
-- by a time), 3 from the 16 on for the effect (0 none, 1 put, 2 delete, 3 another expiry, 4 add, 5 only a check of the request), 3 from the
-- 256 on for where the expiry counts from (0 now, 1 creation, 2 update, 3 expiry, 4 epoch, 5 never), 2 from the 4096 on for the expiry that
-- stays (1 a later one, 2 an earlier one), and the 65536 for the first of a request. Its numbers are that of the condition, the time of
-- the expiry, that of an entry that is new, and what is added. The flags of a row: 1 its value is needed, 2 the log keeps how it was, 4 but
-- its value must not be too large for that, 8 a renewal is logged, 16 its value is returned.
--
-- Each row of the result begins with what it is.
--   0  the end: 0 or the reason, the time of the commit, the server's clock in microseconds, when the server has started, and the
--      largest number for the reasons 3 to 5
--   1  a row that was there: its place among the rows, version, creation, update, expiry, its value if that is wanted, and whether it
--      has changed
--   2  a slot: its number, the first number of the commit, the last one (null if nothing is logged), the earliest expiry, the number
--      and the id of the commit before, and whether there are changes to report
--   3  a commit of the slot since the place that was given, the newest one first: slot, number, earliest expiry, changes, id, and whether
--      it has recorded deliveries
-- The reasons: 1 the role's transactions are others, 2 a slot has no row, 3 the call comes too late, 4 the server is another one, 5 the
-- clock is another one, 6 an expiry that somebody asks for, 7 a quota, 8 a value is too large, 9 a value that may be a number, 10 an operation of a
-- later version
CREATE OR REPLACE FUNCTION ttl_store.apply_1(
    batch uuid, ceiling bigint, server bigint, clock bigint, expected_clock bigint, reached bigint, slot_count integer,
    asked_for_expiry boolean, most_loaded bigint, lock_timeout text, bound text,
    slots integer[], places bigint[],
    row_slot integer[], row_grp text[], row_key text[], row_namespace text[], row_name bytea[], row_flags integer[],
    op_row integer[], op_code integer[], op_value bytea[], op_expected bytea[], op_numbers bigint[],
    quota_slot integer[], quota_namespace text[], quota_keys bigint[], quota_groups bigint[], quota_bytes bigint[],
    OUT kind integer, OUT i integer, OUT a bigint, OUT b bigint, OUT c bigint, OUT d bigint, OUT bytes bytea, OUT id uuid, OUT flag boolean)
RETURNS SETOF record
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $apply$
#variable_conflict use_variable
DECLARE
    day CONSTANT bigint := 86400000;
    never CONSTANT bigint := 9223372036854775807;
    last_number CONSTANT bigint := 144115188075855872;
    most_logged CONSTANT integer := 4096;
    rows integer := cardinality(row_slot);
    ops integer := cardinality(op_row);
    setting text;
    now bigint;
    t bigint;
    due bigint;
    locked integer;
    heads integer := 0;
    -- the slots
    head_seq bigint[]; head_id uuid[]; first bigint[]; numbers bigint[]; slot_due bigint[]; changes bytea[]; counts integer[]; touched boolean[];
    k integer;
    h_seq bigint; h_changes bytea; h_id uuid; h_deliveries boolean;
    -- the rows: as they were found, and as the operations have left them
    was_there boolean[]; was_version bigint[]; was_created bigint[]; was_updated bigint[]; was_expires bigint[]; was_size integer[];
    was_value bytea[];
    there boolean[]; version bigint[]; created bigint[]; updated bigint[]; expires bigint[]; size integer[]; value bytea[];
    put boolean[]; changed boolean[]; any_put boolean := false;
    loaded bigint := 0; large boolean;
    -- an operation, and its row
    r integer; base integer; refused boolean := false; reason integer := 0;
    of_slot integer; of_key text; name bytea; code integer; given bytea; expected bytea; number bigint; millis bigint; otherwise bigint; delta bigint;
    next bigint; x bigint; live boolean; holds boolean; effect integer; told bytea; tells integer; more_keys integer; more_bytes integer;
    e_there boolean; e_version bigint; e_created bigint; e_updated bigint; e_expires bigint; e_size integer; e_value bytea; e_put boolean;
    e_changed boolean;
    receipts bytea := '';
    -- the usage of a namespace
    grown_keys bigint[]; grown_bytes bigint[]; u_keys bigint; u_bytes bigint; u_groups bigint; q integer;
BEGIN
    -- the locks, in ascending order; the limit of the transaction counts from there, because who waits for a slot holds up nobody
    IF current_setting('transaction_isolation') <> 'read committed' OR current_setting('transaction_read_only') <> 'off' THEN
        kind := 0; i := 1;
        RETURN NEXT;
        RETURN;
    END IF;
    setting := set_config('lock_timeout', lock_timeout, true);
    IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;
    PERFORM s.slot FROM ttl_store.slot s WHERE s.slot = ANY (slots) ORDER BY s.slot FOR UPDATE;
    GET DIAGNOSTICS locked = ROW_COUNT;
    setting := current_setting('transaction_timeout', true);
    IF setting = '0' OR setting::interval > bound::interval THEN
        setting := set_config('transaction_timeout', bound, true);
    END IF;

    -- the time, and the numbers
    b := floor(date_part('epoch', clock_timestamp()) * 1000000::double precision)::bigint;
    IF clock IS NOT NULL THEN
        b := CASE WHEN clock <= 0 THEN 0 ELSE least(clock, 72057594037927) * 1000 END;
    END IF;
    now := coalesce(clock, b / 1000);
    c := floor(date_part('epoch', pg_postmaster_start_time()) * 1000000::double precision)::bigint;
    t := CASE WHEN reached > now AND reached <= now + day THEN reached ELSE now END;
    FOR k, h_seq, h_id, next, x IN
        SELECT s.k, l.seq, l.batch, greatest(l.seq + l.n, b - 50000), CASE WHEN l.at <= now + day THEN l.at END
          FROM (SELECT unnest(slots) AS slot, generate_subscripts(slots, 1) AS k) s
         CROSS JOIN LATERAL (
               SELECT n.seq, n.n, n.at, n.batch
                 FROM ttl_store.log n
                WHERE n.slot = s.slot AND n.seq <= last_number AND n.n <= last_number
                ORDER BY n.seq DESC
                LIMIT 1) l
    LOOP
        head_seq[k] := h_seq; head_id[k] := h_id; first[k] := next;
        heads := heads + 1;
        d := greatest(d, next);
        t := greatest(t, x);
    END LOOP;
    a := t;
    i := CASE
        WHEN locked <> cardinality(slots) OR heads <> locked THEN 2
        WHEN c <> server THEN 4
        WHEN now NOT BETWEEN expected_clock - 3600000 AND expected_clock + 3600000 THEN 5
        WHEN d + 2 * ops >= ceiling THEN 3
        ELSE 0
    END;
    kind := 0;
    IF i > 0 THEN
        RETURN NEXT;
        RETURN;
    END IF;
    numbers := first;

    -- the rows
    FOR r, e_there, e_version, e_created, e_updated, e_expires, e_size, e_value, large IN
        SELECT o.r, e.version IS NOT NULL, e.version, e.created_at, e.updated_at, e.expires_at, e.size, e.value, o.flags & 4 <> 0 AND e.size > most_logged
          FROM (SELECT unnest(row_slot) AS slot, unnest(row_grp) AS grp, unnest(row_key) AS key, unnest(row_flags) AS flags,
                       generate_subscripts(row_slot, 1) AS r) o
          LEFT JOIN LATERAL (
               SELECT n.version, n.created_at, n.updated_at, coalesce(n.expires_at, never) AS expires_at, octet_length(n.value) AS size,
                      CASE WHEN o.flags & 1 <> 0 THEN n.value END AS value
                 FROM ttl_store.entry n
                WHERE n.slot = slots[o.slot] AND n.grp = o.grp COLLATE "C" AND n.key = o.key COLLATE "C"
                LIMIT 1) e ON true
    LOOP
        was_there[r] := e_there; was_version[r] := e_version; was_created[r] := e_created; was_updated[r] := e_updated;
        was_expires[r] := e_expires; was_size[r] := e_size; was_value[r] := e_value;
        IF e_there THEN
            loaded := loaded + coalesce(octet_length(e_value), 0);
            IF large OR loaded > most_loaded THEN
                i := 8;
                RETURN NEXT;
                RETURN;
            END IF;
        END IF;
    END LOOP;
    there := was_there; version := was_version; created := was_created; updated := was_updated; expires := was_expires; size := was_size;
    value := was_value; put := array_fill(false, ARRAY[rows]); -- unnest needs all of it

    -- the operations
    FOR j IN 1 .. ops LOOP
        code := op_code[j];
        refused := refused AND code & 65536 = 0;
        CONTINUE WHEN refused;
        r := op_row[j]; k := row_slot[r]; base := 4 * j - 4;
        of_slot := slots[k]; of_key := row_key[r]; name := row_name[r]; given := op_value[j]; expected := op_expected[j];
        number := op_numbers[base + 1]; millis := op_numbers[base + 2]; otherwise := op_numbers[base + 3]; delta := op_numbers[base + 4];
        next := numbers[k]; told := ''; tells := 0;
        e_there := there[r]; e_version := version[r]; e_created := created[r]; e_updated := updated[r]; e_expires := expires[r];
        e_size := size[r]; e_value := value[r]; e_put := false; e_changed := false;

        -- what the operation does to the row; the same for one as for many
        <<decision>>
        BEGIN
            IF code & -79744 <> 0 OR code & 15 > 6 OR code & 112 > 80 OR code & 1792 > 1280 OR code & 12288 > 8192 THEN
                reason := 10;
                EXIT decision;
            END IF;
            live := e_there AND e_expires > t;
            IF e_there AND NOT live THEN
                IF NOT asked_for_expiry THEN
                    SELECT count(*) > 0 INTO asked_for_expiry FROM ttl_store.subscriber s WHERE s.slot = 0;
                END IF;
                IF asked_for_expiry THEN
                    reason := 6;
                    EXIT decision;
                END IF;
                told := told || E'\\x03'::bytea || int8send(next * slot_count + of_slot) || int8send(t) || name || int8send(e_version)
                    || int8send(e_expires) || int8send(0);
                tells := tells + 1;
                next := next + 1;
                e_there := false;
                e_changed := true;
            END IF;
            holds := code & 15 = 0;
            IF NOT holds THEN
                holds := CASE code & 15
                    WHEN 1 THEN NOT live
                    WHEN 2 THEN live
                    WHEN 3 THEN live AND e_version = number
                    WHEN 4 THEN live AND e_value = expected
                    WHEN 5 THEN live AND length(e_value, 'UTF8'::name) >= 0
                    ELSE live AND e_created <= number
                END;
            END IF;
            effect := code >> 4 & 7;
            EXIT decision WHEN NOT holds OR effect IN (0, 5) OR NOT live AND effect IN (2, 3);
            e_changed := true;
            IF effect = 2 THEN
                told := told || E'\\x02'::bytea || int8send(next * slot_count + of_slot) || int8send(t) || name || int8send(e_version)
                    || int8send(never) || int8send(0);
                tells := tells + 1;
                next := next + 1;
                e_there := false;
                EXIT decision;
            END IF;
            IF live AND effect = 4 THEN
                x := e_expires;
            ELSIF code & 1792 = 0 THEN
                x := t + millis;
            ELSE
                x := CASE code >> 8 & 7
                    WHEN 1 THEN CASE WHEN live THEN greatest(e_created + millis, t) ELSE t + millis END
                    WHEN 2 THEN CASE WHEN live THEN greatest(e_updated + millis, t) ELSE t + millis END
                    WHEN 3 THEN CASE
                        WHEN live THEN CASE WHEN e_expires > never / 2 OR millis = 0 THEN e_expires ELSE least(e_expires + millis, never / 2) END
                        WHEN otherwise = never THEN never
                        ELSE t + otherwise + millis END
                    WHEN 4 THEN greatest(millis, t)
                    ELSE never
                END;
            END IF;
            IF live AND effect <> 4 AND code & 12288 <> 0 THEN
                x := CASE code >> 12 & 3 WHEN 1 THEN greatest(x, e_expires) ELSE least(x, e_expires) END;
            END IF;
            IF effect = 3 THEN
                IF e_updated > t + day AND x <> e_expires THEN
                    e_updated := t;
                END IF;
                e_expires := x;
                EXIT decision;
            END IF;
            IF effect = 4 THEN
                IF NOT live THEN
                    given := delta::text::bytea;
                ELSIF encode(e_value, 'escape') ~ '^-?[0-9]{1,18}$' THEN
                    given := (encode(e_value, 'escape')::bigint + delta)::text::bytea;
                ELSE
                    reason := 9;
                    EXIT decision;
                END IF;
            END IF;
            more_keys := CASE WHEN live THEN 0 ELSE 1 END;
            more_bytes := octet_length(given) - CASE WHEN live THEN e_size ELSE -octet_length(of_key) END;
            IF NOT live THEN
                e_created := t;
                e_updated := t;
            ELSE
                e_updated := CASE WHEN e_updated <= t + day THEN greatest(t, e_updated) ELSE t END;
            END IF;
            e_version := next * slot_count + of_slot;
            e_expires := x;
            e_size := octet_length(given);
            e_value := given;
            e_there := true;
            e_put := true;
            told := told || CASE WHEN live THEN E'\\x01'::bytea ELSE E'\\x00'::bytea END || int8send(e_version) || int8send(t) || name
                || int8send(e_version) || int8send(x) || int8send(0);
            tells := tells + 1;
            next := next + 1;
        END;

        IF reason > 0 THEN
            i := reason;
            RETURN NEXT;
            RETURN;
        END IF;
        refused := effect = 5 AND NOT holds;
        CONTINUE WHEN NOT e_changed;
        changed[r] := true;
        there[r] := e_there; updated[r] := e_updated; expires[r] := e_expires;
        IF tells > 0 THEN
            numbers[k] := next;
            changes[k] := coalesce(changes[k], '') || told;
            counts[k] := coalesce(counts[k], 0) + tells;
        END IF;
        IF e_put THEN
            put[r] := true; version[r] := e_version; created[r] := e_created; size[r] := e_size; value[r] := e_value;
            q := array_position(quota_namespace, row_namespace[r]);
            IF q IS NOT NULL THEN
                grown_keys[q] := coalesce(grown_keys[q], 0) + more_keys;
                grown_bytes[q] := coalesce(grown_bytes[q], 0) + greatest(more_bytes, 0);
            END IF;
        END IF;
    END LOOP;

    -- the usage, which must not come near a quota: only Java knows which requests to refuse, and what makes room
    FOR q IN 1 .. coalesce(cardinality(quota_namespace), 0) LOOP
        CONTINUE WHEN grown_keys[q] IS NULL;
        SELECT u.keys, u.bytes, u.groups INTO u_keys, u_bytes, u_groups
          FROM ttl_store.usage u
         WHERE u.slot = quota_slot[q] AND u.namespace = quota_namespace[q] AND u.grp = '';
        IF NOT FOUND OR grown_keys[q] > 0 AND u_keys + grown_keys[q] > quota_keys[q]
           OR grown_bytes[q] > 0 AND u_bytes + grown_bytes[q] > quota_bytes[q]
           OR grown_keys[q] > 0 AND u_groups + grown_keys[q] > quota_groups[q]
              AND (u_groups > quota_groups[q]
                   OR EXISTS (SELECT FROM unnest(row_grp, row_namespace) g (grp, namespace)
                               WHERE g.namespace = quota_namespace[q]
                                 AND NOT EXISTS (SELECT FROM ttl_store.usage u
                                                  WHERE u.slot = quota_slot[q] AND u.namespace = quota_namespace[q]
                                                    AND u.grp = g.grp COLLATE "C" AND u.keys > 0))) THEN
            i := 7;
            RETURN NEXT;
            RETURN;
        END IF;
    END LOOP;
    FOR r IN 1 .. coalesce(cardinality(row_namespace), 0) LOOP
        CONTINUE WHEN row_namespace[r] IS NULL OR changed[r] IS NOT TRUE;
        k := row_slot[r];
        IF EXISTS (SELECT FROM ttl_store.usage u WHERE u.slot = slots[k] AND u.namespace = row_namespace[r] AND u.grp = '') THEN
            PERFORM ttl_store.count_1(slots[k], row_namespace[r], row_grp[r], there[r]::integer - was_there[r]::integer,
                CASE WHEN there[r] THEN octet_length(row_key[r]) + size[r] ELSE 0 END
                - CASE WHEN was_there[r] THEN octet_length(row_key[r]) + was_size[r] ELSE 0 END);
        END IF;
    END LOOP;

    -- the entries
    FOR r IN 1 .. rows LOOP
        CONTINUE WHEN changed[r] IS NOT TRUE;
        k := row_slot[r];
        touched[k] := true;
        IF there[r] THEN
            slot_due[k] := least(slot_due[k], expires[r]);
        END IF;
        IF put[r] AND there[r] THEN
            any_put := true;
        ELSIF was_there[r] AND NOT there[r] THEN
            put[r] := false;
            DELETE FROM ttl_store.entry e WHERE e.slot = slots[k] AND e.grp = row_grp[r] AND e.key = row_key[r];
        ELSIF was_there[r] THEN
            x := nullif(expires[r], never);
            UPDATE ttl_store.entry e
               SET updated_at = updated[r], expires_at = x, due_at = CASE WHEN e.due_at BETWEEN x - 600000 AND x THEN e.due_at ELSE x END
             WHERE e.slot = slots[k] AND e.grp = row_grp[r] AND e.key = row_key[r];
            -- others that keep the row have to learn of an earlier expiry; and a renewal that counts from the expiry must not be made twice
            IF expires[r] < was_expires[r] OR row_flags[r] & 8 <> 0 THEN
                changes[k] := E'\\x05'::bytea || int8send(version[r]) || int8send(t) || row_name[r] || int8send(version[r])
                    || int8send(expires[r]) || int8send(0) || coalesce(changes[k], '');
                counts[k] := coalesce(counts[k], 0) + 1;
            END IF;
        ELSE
            put[r] := false;
        END IF;
    END LOOP;
    IF any_put THEN
        INSERT INTO ttl_store.entry (slot, grp, key, version, created_at, updated_at, expires_at, due_at, value)
        SELECT slots[p.slot], p.grp, p.key, p.version, p.created, p.updated, nullif(p.expires, never), nullif(p.expires, never), p.value
          FROM (SELECT unnest(row_slot) AS slot, unnest(row_grp) AS grp, unnest(row_key) AS key, unnest(version) AS version,
                       unnest(created) AS created, unnest(updated) AS updated, unnest(expires) AS expires, unnest(value) AS value,
                       unnest(put) AS put) p
         WHERE p.put
            ON CONFLICT (slot, grp, key) DO UPDATE
           SET version = excluded.version, created_at = excluded.created_at, updated_at = excluded.updated_at,
               expires_at = excluded.expires_at, value = excluded.value,
               due_at = CASE WHEN entry.due_at BETWEEN excluded.expires_at - 600000 AND excluded.expires_at THEN entry.due_at
                             ELSE excluded.expires_at END;
    END IF;

    -- the answer, which the log keeps as far as nobody could tell it otherwise
    RETURN NEXT;
    FOR r IN 1 .. rows LOOP
        IF was_there[r] THEN
            kind := 1; i := r; a := was_version[r]; b := was_created[r]; c := was_updated[r]; d := was_expires[r]; flag := changed[r] IS TRUE;
            IF row_flags[r] & 16 <> 0 THEN
                bytes := was_value[r];
            END IF;
            RETURN NEXT;
            bytes := NULL;
        END IF;
        IF counts IS NOT NULL AND row_flags[r] & 2 <> 0 AND was_there[r] THEN
            receipts := receipts || int4send(r) || int4send((changed[r] IS TRUE)::integer) || int8send(was_version[r]) || int8send(was_created[r])
                || int8send(was_updated[r]) || int8send(was_expires[r])
                || CASE WHEN row_flags[r] & 16 = 0 OR was_size[r] > most_logged THEN int4send(-1)
                        ELSE int4send(was_size[r]) || was_value[r] END;
        END IF;
    END LOOP;

    -- the log, and its news; every commit is in the log of the first slot, because it is looked up there if the answer is lost
    touched[1] := true = ANY (touched);
    IF touched[1] IS NOT TRUE THEN
        PERFORM set_config('synchronous_commit', 'off', true); -- only locks, which need not be on the disk
    END IF;
    FOR k IN 1 .. cardinality(slots) LOOP
        kind := 2; i := slots[k]; a := first[k]; b := NULL; c := coalesce(slot_due[k], never); d := head_seq[k]; id := head_id[k]; flag := counts[k] IS NOT NULL;
        IF touched[k] THEN
            b := greatest(first[k], numbers[k] - 1);
            numbers[k] := b;
            IF flag THEN
                changes[k] := E'\\x01'::bytea || int4send(counts[k]) || changes[k] || receipts;
                receipts := '';
            END IF;
        END IF;
        RETURN NEXT;
        CONTINUE WHEN places IS NULL OR head_seq[k] = places[k];
        FOR h_seq, due, h_changes, h_id, h_deliveries IN
            SELECT l.seq, l.due,
                   CASE WHEN octet_length(l.changes) > 8192 THEN substr(l.changes, 1, 0)
                        WHEN octet_length(l.changes) = 0 THEN E'\\x00'::bytea
                        ELSE l.changes END,
                   l.batch, l.deliveries
              FROM ttl_store.log l
             WHERE l.slot = slots[k] AND l.seq >= places[k] AND l.seq <= head_seq[k] AND l.n <= last_number
             ORDER BY l.seq DESC
             LIMIT 1000
        LOOP
            kind := 3; i := slots[k]; a := h_seq; b := due; bytes := CASE WHEN h_seq > places[k] THEN h_changes END; id := h_id; flag := h_deliveries;
            RETURN NEXT;
            bytes := NULL;
        END LOOP;
    END LOOP;
    IF touched[1] THEN
        INSERT INTO ttl_store.log (slot, seq, n, at, batch, due, deliveries, changes)
        SELECT slots[l.k], numbers[l.k], 1, t, batch, nullif(slot_due[l.k], never), false, changes[l.k]
          FROM (SELECT generate_subscripts(slots, 1) AS k) l
         WHERE touched[l.k];
    END IF;
END
$apply$;

-- Does that for one operation on one row. The result has the same as the rows above. Each statement names one table and its slot, so that
-- Citus plans it once.
CREATE OR REPLACE FUNCTION ttl_store.apply_one_1(
    batch uuid, ceiling bigint, server bigint, clock bigint, expected_clock bigint, reached bigint, slot_count integer,
    asked_for_expiry boolean, lock_timeout text, bound text,
    of_slot integer, place bigint, of_grp text, of_key text, of_namespace text, name bytea, flags integer,
    code integer, given bytea, expected bytea, number bigint, millis bigint, otherwise bigint, delta bigint,
    most_keys bigint, most_groups bigint, most_bytes bigint,
    OUT reason integer, OUT t bigint, OUT micros bigint, OUT started bigint,
    OUT was_there boolean, OUT version bigint, OUT created bigint, OUT updated bigint, OUT expires bigint, OUT value bytea, OUT e_changed boolean,
    OUT first bigint, OUT last bigint, OUT due bigint, OUT head_seq bigint, OUT head_id uuid, OUT tells integer,
    OUT news_seq bigint[], OUT news_due bigint[], OUT news_changes bytea[], OUT news_id uuid[], OUT news_deliveries boolean[])
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $apply_one$
#variable_conflict use_variable
DECLARE
    day CONSTANT bigint := 86400000;
    never CONSTANT bigint := 9223372036854775807;
    last_number CONSTANT bigint := 144115188075855872;
    most_logged CONSTANT integer := 4096;
    setting text; now bigint; next bigint; x bigint; size integer;
    e_there boolean; e_version bigint; e_created bigint; e_updated bigint; e_expires bigint; e_size integer; e_value bytea; e_put boolean := false;
    live boolean; holds boolean; effect integer; told bytea := ''; more_keys integer; more_bytes integer;
    u_keys bigint; u_bytes bigint; u_groups bigint;
    n_seq bigint; n_due bigint; n_changes bytea; n_id uuid; n_deliveries boolean;
BEGIN
    -- the lock; the limit of the transaction counts from there, because who waits for a slot holds up nobody
    IF current_setting('transaction_isolation') <> 'read committed' OR current_setting('transaction_read_only') <> 'off' THEN
        reason := 1;
        RETURN;
    END IF;
    setting := set_config('lock_timeout', lock_timeout, true);
    IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
        setting := set_config('synchronous_commit', 'on', true);
    END IF;
    PERFORM s.slot FROM ttl_store.slot s WHERE s.slot = of_slot FOR UPDATE;
    IF NOT FOUND THEN
        reason := 2;
        RETURN;
    END IF;
    setting := current_setting('transaction_timeout', true);
    IF setting = '0' OR setting::interval > bound::interval THEN
        setting := set_config('transaction_timeout', bound, true);
    END IF;

    -- the time, and the numbers
    micros := floor(date_part('epoch', clock_timestamp()) * 1000000::double precision)::bigint;
    IF clock IS NOT NULL THEN
        micros := CASE WHEN clock <= 0 THEN 0 ELSE least(clock, 72057594037927) * 1000 END;
    END IF;
    now := coalesce(clock, micros / 1000);
    started := floor(date_part('epoch', pg_postmaster_start_time()) * 1000000::double precision)::bigint; -- of this server, though it may ask others
    SELECT greatest(now, CASE WHEN l.at <= now + day THEN l.at END, CASE WHEN reached <= now + day THEN reached END),
           l.seq, l.batch, greatest(l.seq + l.n, micros - 50000), greatest(l.seq + l.n, micros - 50000)
      INTO t, head_seq, head_id, first, next
      FROM ttl_store.log l
     WHERE l.slot = of_slot AND l.seq <= last_number AND l.n <= last_number
     ORDER BY l.seq DESC
     LIMIT 1;
    reason := CASE
        WHEN first IS NULL THEN 2
        WHEN started <> server THEN 4
        WHEN now NOT BETWEEN expected_clock - 3600000 AND expected_clock + 3600000 THEN 5
        WHEN first + 2 >= ceiling THEN 3
        ELSE 0
    END;
    IF reason > 0 THEN
        RETURN;
    END IF;

    -- the row
    SELECT true, e.version, e.created_at, e.updated_at, coalesce(e.expires_at, never), octet_length(e.value), CASE WHEN flags & 1 <> 0 THEN e.value END,
           e.version, e.created_at, e.updated_at, coalesce(e.expires_at, never), octet_length(e.value), CASE WHEN flags & 16 <> 0 THEN e.value END
      INTO e_there, e_version, e_created, e_updated, e_expires, e_size, e_value, version, created, updated, expires, size, value
      FROM ttl_store.entry e
     WHERE e.slot = of_slot AND e.grp = of_grp AND e.key = of_key;
    IF e_there IS NULL THEN
        e_there := false;
    ELSIF flags & 4 <> 0 AND size > most_logged THEN
        reason := 8;
        RETURN;
    END IF;
    was_there := e_there;
    e_changed := false;
    tells := 0;

        -- what the operation does to the row; the same for one as for many
        <<decision>>
        BEGIN
            IF code & -79744 <> 0 OR code & 15 > 6 OR code & 112 > 80 OR code & 1792 > 1280 OR code & 12288 > 8192 THEN
                reason := 10;
                EXIT decision;
            END IF;
            live := e_there AND e_expires > t;
            IF e_there AND NOT live THEN
                IF NOT asked_for_expiry THEN
                    SELECT count(*) > 0 INTO asked_for_expiry FROM ttl_store.subscriber s WHERE s.slot = 0;
                END IF;
                IF asked_for_expiry THEN
                    reason := 6;
                    EXIT decision;
                END IF;
                told := told || E'\\x03'::bytea || int8send(next * slot_count + of_slot) || int8send(t) || name || int8send(e_version)
                    || int8send(e_expires) || int8send(0);
                tells := tells + 1;
                next := next + 1;
                e_there := false;
                e_changed := true;
            END IF;
            holds := code & 15 = 0;
            IF NOT holds THEN
                holds := CASE code & 15
                    WHEN 1 THEN NOT live
                    WHEN 2 THEN live
                    WHEN 3 THEN live AND e_version = number
                    WHEN 4 THEN live AND e_value = expected
                    WHEN 5 THEN live AND length(e_value, 'UTF8'::name) >= 0
                    ELSE live AND e_created <= number
                END;
            END IF;
            effect := code >> 4 & 7;
            EXIT decision WHEN NOT holds OR effect IN (0, 5) OR NOT live AND effect IN (2, 3);
            e_changed := true;
            IF effect = 2 THEN
                told := told || E'\\x02'::bytea || int8send(next * slot_count + of_slot) || int8send(t) || name || int8send(e_version)
                    || int8send(never) || int8send(0);
                tells := tells + 1;
                next := next + 1;
                e_there := false;
                EXIT decision;
            END IF;
            IF live AND effect = 4 THEN
                x := e_expires;
            ELSIF code & 1792 = 0 THEN
                x := t + millis;
            ELSE
                x := CASE code >> 8 & 7
                    WHEN 1 THEN CASE WHEN live THEN greatest(e_created + millis, t) ELSE t + millis END
                    WHEN 2 THEN CASE WHEN live THEN greatest(e_updated + millis, t) ELSE t + millis END
                    WHEN 3 THEN CASE
                        WHEN live THEN CASE WHEN e_expires > never / 2 OR millis = 0 THEN e_expires ELSE least(e_expires + millis, never / 2) END
                        WHEN otherwise = never THEN never
                        ELSE t + otherwise + millis END
                    WHEN 4 THEN greatest(millis, t)
                    ELSE never
                END;
            END IF;
            IF live AND effect <> 4 AND code & 12288 <> 0 THEN
                x := CASE code >> 12 & 3 WHEN 1 THEN greatest(x, e_expires) ELSE least(x, e_expires) END;
            END IF;
            IF effect = 3 THEN
                IF e_updated > t + day AND x <> e_expires THEN
                    e_updated := t;
                END IF;
                e_expires := x;
                EXIT decision;
            END IF;
            IF effect = 4 THEN
                IF NOT live THEN
                    given := delta::text::bytea;
                ELSIF encode(e_value, 'escape') ~ '^-?[0-9]{1,18}$' THEN
                    given := (encode(e_value, 'escape')::bigint + delta)::text::bytea;
                ELSE
                    reason := 9;
                    EXIT decision;
                END IF;
            END IF;
            more_keys := CASE WHEN live THEN 0 ELSE 1 END;
            more_bytes := octet_length(given) - CASE WHEN live THEN e_size ELSE -octet_length(of_key) END;
            IF NOT live THEN
                e_created := t;
                e_updated := t;
            ELSE
                e_updated := CASE WHEN e_updated <= t + day THEN greatest(t, e_updated) ELSE t END;
            END IF;
            e_version := next * slot_count + of_slot;
            e_expires := x;
            e_size := octet_length(given);
            e_value := given;
            e_there := true;
            e_put := true;
            told := told || CASE WHEN live THEN E'\\x01'::bytea ELSE E'\\x00'::bytea END || int8send(e_version) || int8send(t) || name
                || int8send(e_version) || int8send(x) || int8send(0);
            tells := tells + 1;
            next := next + 1;
        END;

    IF reason > 0 OR NOT e_changed THEN
        PERFORM set_config('synchronous_commit', 'off', true); -- only a lock, which need not be on the disk
        RETURN;
    END IF;

    -- the usage
    IF of_namespace IS NOT NULL THEN
        SELECT u.keys, u.bytes, u.groups INTO u_keys, u_bytes, u_groups
          FROM ttl_store.usage u WHERE u.slot = of_slot AND u.namespace = of_namespace AND u.grp = '';
        IF e_put AND most_keys IS NOT NULL THEN
            IF u_keys IS NULL OR more_keys > 0 AND u_keys >= most_keys OR more_bytes > 0 AND u_bytes + more_bytes > most_bytes THEN
                reason := 7;
                RETURN;
            END IF;
            IF more_keys > 0 AND u_groups >= most_groups THEN
                -- above the quota, the group may be one that has only expired entries, and then counts as new
                PERFORM u.keys FROM ttl_store.usage u WHERE u.slot = of_slot AND u.namespace = of_namespace AND u.grp = of_grp AND u.keys > 0;
                IF NOT FOUND OR u_groups > most_groups THEN
                    reason := 7;
                    RETURN;
                END IF;
            END IF;
        END IF;
        IF u_keys IS NOT NULL THEN
            PERFORM ttl_store.count_1(of_slot, of_namespace, of_grp, e_there::integer - was_there::integer,
                CASE WHEN e_there THEN octet_length(of_key) + e_size ELSE 0 END - CASE WHEN was_there THEN octet_length(of_key) + size ELSE 0 END);
        END IF;
    END IF;

    -- the entry
    x := nullif(e_expires, never);
    IF was_there AND NOT e_there THEN
        DELETE FROM ttl_store.entry e WHERE e.slot = of_slot AND e.grp = of_grp AND e.key = of_key;
    ELSIF was_there AND e_put THEN
        UPDATE ttl_store.entry e
           SET version = e_version, created_at = e_created, updated_at = e_updated, expires_at = x, value = e_value,
               due_at = CASE WHEN e.due_at BETWEEN x - 600000 AND x THEN e.due_at ELSE x END
         WHERE e.slot = of_slot AND e.grp = of_grp AND e.key = of_key;
    ELSIF was_there THEN
        UPDATE ttl_store.entry e
           SET updated_at = e_updated, expires_at = x, due_at = CASE WHEN e.due_at BETWEEN x - 600000 AND x THEN e.due_at ELSE x END
         WHERE e.slot = of_slot AND e.grp = of_grp AND e.key = of_key;
        -- others that keep the row have to learn of an earlier expiry; and a renewal that counts from the expiry must not be made twice
        IF e_expires < expires OR flags & 8 <> 0 THEN
            told := E'\\x05'::bytea || int8send(e_version) || int8send(t) || name || int8send(e_version) || int8send(e_expires) || int8send(0);
            tells := 1;
        END IF;
    ELSIF e_there THEN
        INSERT INTO ttl_store.entry (slot, grp, key, version, created_at, updated_at, expires_at, due_at, value)
        VALUES (of_slot, of_grp, of_key, e_version, e_created, e_updated, x, x, e_value);
    END IF;

    -- the log, which keeps of the answer what nobody could tell otherwise, and its news
    last := greatest(first, next - 1);
    due := CASE WHEN e_there THEN e_expires ELSE never END;
    INSERT INTO ttl_store.log (slot, seq, n, at, batch, due, deliveries, changes)
    VALUES (of_slot, last, 1, t, batch, CASE WHEN e_there THEN x END, false,
            CASE WHEN tells > 0 THEN E'\\x01'::bytea || int4send(tells) || told
                || CASE WHEN flags & 2 <> 0 AND was_there
                        THEN int4send(1) || int4send(1) || int8send(version) || int8send(created) || int8send(updated) || int8send(expires)
                             || CASE WHEN flags & 16 = 0 OR size > most_logged THEN int4send(-1) ELSE int4send(size) || value END
                        ELSE ''::bytea END END);
    IF head_seq <> place THEN
        FOR n_seq, n_due, n_changes, n_id, n_deliveries IN
            SELECT l.seq, coalesce(l.due, never),
                   CASE WHEN l.seq > place THEN
                       CASE WHEN octet_length(l.changes) > 8192 THEN substr(l.changes, 1, 0)
                            WHEN octet_length(l.changes) = 0 THEN E'\\x00'::bytea
                            ELSE l.changes END END,
                   l.batch, l.deliveries
              FROM ttl_store.log l
             WHERE l.slot = of_slot AND l.seq >= place AND l.seq <= head_seq AND l.n <= last_number
             ORDER BY l.seq DESC
             LIMIT 1000
        LOOP
            news_seq := array_append(news_seq, n_seq);
            news_due := array_append(news_due, n_due);
            news_changes := array_append(news_changes, n_changes);
            news_id := array_append(news_id, n_id);
            news_deliveries := array_append(news_deliveries, n_deliveries);
        END LOOP;
    END IF;
END
$apply_one$;

-- The rights that the role of the application needs, which all roles have unless somebody has taken them:
--
-- GRANT EXECUTE ON FUNCTION ttl_store.apply_1, ttl_store.apply_one_1, ttl_store.count_1 TO the_role;

-- In a database with the extension Citus, the store also runs the next statement; as an administrator, run it without the mark before it.
-- The server that has a slot then makes the commits of one operation by itself.
--
--citus SELECT pg_catalog.create_distributed_function('ttl_store.apply_one_1'::regproc::oid::regprocedure, 'of_slot', colocate_with => 'ttl_store.slot');
