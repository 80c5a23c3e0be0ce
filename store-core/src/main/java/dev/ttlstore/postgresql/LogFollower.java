package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.engine.support.RetryLog;
import dev.ttlstore.engine.support.WorkerThread;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.postgresql.LogRow.LogPlace;
import dev.ttlstore.postgresql.PostgreSqlSettings.Intervals;

/**
 * The thread that reads the log for commits of other nodes and reports them, and that keeps the log short. It recovers by itself
 * from whatever fails.
 */
final class LogFollower {

    private static final Logger log = LoggerFactory.getLogger(LogFollower.class);

    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    /** How often the heads are compared with this node's places, to see that a server has lost commits. */
    private static final long COMPARE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long TRIM_NANOS = Duration.ofSeconds(10).toNanos();

    private static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY";

    private static final String PLANS = "SELECT {now}, " + PlanSettings.SET;

    /** A distributed database plans each time. */
    private static final String CLOCK = "SELECT {now}";

    /** How many commits are removed at once. */
    private static final int TRIM_AT_ONCE = 1_000;

    /** What is old goes by the time, not by the number: after a clock that was ahead, numbers are ahead for as long as it was. */
    private static final String IS_OLD = "(%1$s.at < ? OR %1$s.at > ?)";

    /**
     * Removes old commits up to the first one that is not. The last one before that stays: it is the place of nodes that have
     * missed nothing old.
     */
    private static final String TRIM = """
            DELETE FROM @log l
             USING (SELECT n.seq, lead(n.seq) OVER (ORDER BY n.seq) AS next,
                           bool_and(%s) OVER (ORDER BY n.seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING) AS old
                      FROM (SELECT o.seq, o.at FROM @log o WHERE o.slot = ? ORDER BY o.seq LIMIT %d) n) f
             WHERE l.slot = ? AND l.seq = f.seq AND f.old AND f.next IS NOT NULL
            """.formatted(IS_OLD.formatted("n"), TRIM_AT_ONCE + 1);

    /** The slots whose oldest commit is old, and not the newest one. */
    private static final String OLD = """
            SELECT s.slot
              FROM {slots}
             CROSS JOIN LATERAL (SELECT l.seq, l.at FROM @log l WHERE l.slot = {s.slot} ORDER BY l.seq LIMIT 1) o
             WHERE %s
               AND EXISTS (SELECT 1 FROM @log n WHERE n.slot = s.slot AND n.seq > o.seq)
            """.formatted(IS_OLD.formatted("o"));

    /** A purge by a clock that was far ahead has left it. */
    private static final String HAS_FALSE_MARK = "p.role = 'purge' AND p.mark > ?";

    private static final String FALSE_MARKS = "SELECT p.slot FROM @lease p WHERE " + HAS_FALSE_MARK;

    private static final String UNMARK = "UPDATE @lease p SET mark = NULL WHERE p.slot = ? AND " + HAS_FALSE_MARK;

    private final NodeContext node;
    private final ClockLeapRecord leaps;
    private final Connections connections;
    private final long keptMillis;
    private final Intervals intervals;
    private final NodeRegistry registry;
    private final BooleanSupplier notified;
    private final Map<Integer, Shown> shown = new ConcurrentHashMap<>();

    /**
     * What is to be logged in a slot, because somebody has seen it without a commit. {@link Long#MIN_VALUE} stands for none.
     *
     * @param time what has expired by this time stays so
     * @param number no commit gets a number up to this one
     */
    private record Shown(long time, long number) {
        private Shown and(Shown other) {
            return new Shown(Math.max(time, other.time), Math.max(number, other.number));
        }
    }

    private volatile boolean woken;
    private volatile long wokenAt;
    private final RetryLog retries =
            new RetryLog(log, "The commits of other nodes could not be read; this is retried each second");
    private final WorkerThread thread =
            new WorkerThread(BackgroundThreads.named("ttl-store-follow"), retries, this::run);
    private boolean waiting;
    private long compared;
    private long trimmed;

    /**
     * Prepares the thread.
     *
     * @param node what all threads share
     * @param kept for how long the log is kept
     * @param intervals how often it looks at the log
     * @param registry the nodes, which it reads with the heads
     * @param notified tests whether {@link #wake} is called after each commit of another node
     */
    LogFollower(NodeContext node, Duration kept, Intervals intervals, NodeRegistry registry, BooleanSupplier notified) {
        this.node = node;
        this.leaps = new ClockLeapRecord(node);
        this.connections = node.connections();
        this.keptMillis = kept.toMillis();
        this.intervals = intervals;
        this.registry = registry;
        this.notified = notified;
    }

    WorkerThread thread() {
        return thread;
    }

    /** Called before the thread starts for the first time. */
    void prepare() {
        compared = System.nanoTime();
        trimmed = compared;
        wokenAt = System.nanoTime() - intervals.hold.toNanos();
    }

    /** Has the log looked at soon, and for a while after. */
    void wake() {
        wokenAt = System.nanoTime();
        woken = true;
        thread.wake();
    }

    /** Makes a time of a slot final soon. */
    void shown(int slot, long time) {
        shown(slot, new Shown(time, Long.MIN_VALUE));
    }

    /** Makes numbers of a slot used soon. */
    void used(int slot, long number) {
        shown(slot, new Shown(Long.MIN_VALUE, number));
    }

    private void shown(int slot, Shown what) {
        shown.merge(slot, what, Shown::and);
        wake();
    }

    private void run() {
        while (!thread.isStopped()) {
            long pause;
            woken = false; // first: what wakes it from here on is a reason for another turn
            try {
                turn();
                retries.succeeded("The commits of other nodes can be read again");
                pause = pause();
            } catch (StoreClosedException e) {
                return;
            } catch (RuntimeException | Error e) { // either would end the reports of other nodes silently
                pause = RETRY_NANOS;
                if (!thread.isStopped()) {
                    retries.failed(e);
                }
            }
            park(pause);
        }
    }

    /** Looks often until it is notified, and for a while after each notification; otherwise only in case one was lost. */
    private long pause() {
        boolean quiet = notified.getAsBoolean() && System.nanoTime() - wokenAt > intervals.hold.toNanos();
        return (quiet && !waiting ? intervals.net : intervals.look).toNanos();
    }

    /** Waits, or less if it is woken. But many notifications do not make it look more often than it does without any. */
    private void park(long nanos) {
        long start = System.nanoTime();
        long least = Math.min(nanos, intervals.look.toNanos());
        while (!thread.isStopped()) {
            long left = (woken ? least : nanos) - (System.nanoTime() - start);
            if (left <= 0) {
                return;
            }
            thread.sleep(left);
        }
    }

    private void turn() {
        trimInTime(); // first: what cannot be read must not stay for good
        LogCursor.Progress progress = look();
        while (progress == LogCursor.Progress.MORE && !thread.isStopped()) {
            progress = look();
        }
        release();
        shown.forEach((slot, what) -> {
            if (node.finalTimes().tryLook(slot, what.time, what.number)) {
                boolean unused = shown.remove(slot, what);
            }
        });
        waiting = progress == LogCursor.Progress.WAITING
                || !shown.isEmpty()
                || node.cursor().isHoldingBack();
        long now = System.nanoTime();
        if (now - compared > COMPARE_NANOS || progress == LogCursor.Progress.LOST) {
            compared = now;
            Map<Integer, LogPlace> before = node.cursor().places();
            List<LogHead> heads = heads();
            node.cursor().compare(before, heads);
            // While commits go on, no other answer shows how short the way is.
            connections.run(connections.script().add("SELECT 1"));
            attempt(node.timelines()::settle);
            attempt(leaps::keep);
            attempt(() -> correct(heads, now));
            attempt(this::unmark);
        }
    }

    private void trimInTime() {
        long now = System.nanoTime();
        if (now - trimmed > TRIM_NANOS) {
            trimmed = now;
            attempt(this::trim);
        }
    }

    /** Reports events that were held back, as far as there is room for them now. */
    private void release() {
        LogCursor cursor = node.cursor();
        boolean more = cursor.isHoldingBack();
        while (more && !thread.isStopped()) {
            Script script = connections.script();
            List<LogRow> rows = cursor.heldBack(script);
            connections.run(script);
            more = cursor.release(rows);
        }
    }

    /** Does what is done again later if it fails, such as on a standby. */
    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (StoreClosedException e) {
            throw e;
        } catch (StoreException | ConflictException e) {
            log.debug("The log could not be changed; this is retried", e);
        }
    }

    private LogCursor.Progress look() {
        long start = System.nanoTime();
        List<Long> told = new ArrayList<>();
        Script script = connections.script().add(BEGIN);
        Script unused = script.query(script.isDistributed() ? CLOCK : PLANS, row -> told.add(row.getLong(1)));
        List<LogRow> rows = node.cursor().news(script, node.slots().all());
        connections.runOnce(script.add("ROLLBACK")); // which ends a transaction that only reads
        LogCursor.Progress progress = node.cursor().report(rows);
        if (progress == LogCursor.Progress.ALL) {
            node.clock().followed(start, told.get(0));
        }
        return progress;
    }

    /** Returns the note of a leap of the clock. */
    ClockLeapRecord leaps() {
        return leaps;
    }

    /** Reads the heads of all slots, and the other nodes. */
    List<LogHead> heads() {
        List<LogHead> heads = new ArrayList<>();
        Script script = LogHead.query(connections.script(), node.slots().all(), heads::add);
        connections.run(registry.read(script));
        heads.forEach(head -> {
            node.clock().heard(head.micros());
            node.clock().told(head.time());
            node.timelines().look(head);
        });
        return heads;
    }

    /**
     * Logs the present time in slots whose newest commit is of a clock that was far ahead. Otherwise that time would be believed once
     * it is less than a day ahead.
     */
    private void correct(List<LogHead> heads, long begun) {
        for (LogHead head : heads) {
            if (head.at() <= ServerClock.LONG_AGO) {
                Object unused = node.finalTimes().look(head.slot(), head.time(), begun);
            }
        }
    }

    /** Removes the marks of a purge that would be believed once the clock gets there, and hide what has expired before. */
    private void unmark() {
        long last = ServerClock.latestBelievable(node.clock().now());
        for (int slot : connections.list(FALSE_MARKS, row -> row.getInt(1), last)) {
            connections.change(UNMARK, slot, last);
        }
    }

    /** Removes old commits from the log, but never the newest one of a slot. */
    void trim() {
        long now = node.clock().now();
        long first = now - keptMillis;
        long last = ServerClock.latestBelievable(now);
        List<Integer> old = new ArrayList<>();
        connections.run(connections
                .script()
                .querySteps(
                        OLD, node.slots().all(), row -> old.add(row.getInt(1)), slots -> List.of(slots, first, last)));
        old.forEach(slot -> trim(slot, first, last));
    }

    private void trim(int slot, long first, long last) {
        AtomicLong removed = new AtomicLong();
        do {
            connections.change(connections.script().count(TRIM, removed::set, first, last, slot, slot));
        } while (removed.get() == TRIM_AT_ONCE && !thread.isStopped());
    }
}
