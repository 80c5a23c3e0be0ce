package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreException;

/**
 * The thread that reads the log for commits of other nodes and reports them, and that keeps the log short. It recovers by itself
 * from whatever fails.
 */
final class Follower {

    private static final Logger log = LoggerFactory.getLogger(Follower.class);

    /** The pause between two looks at the log. */
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    /** The pause on a distributed database, where a look takes milliseconds of the coordinator's time. */
    private static final long DISTRIBUTED_PAUSE_NANOS = Duration.ofMillis(80).toNanos();

    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    /** How often the heads are compared with this node's places, to see that a server has lost commits. */
    private static final long COMPARE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long TRIM_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long STOP_MILLIS = 2_000;

    private static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY";

    private static final String PLANS = "SELECT " + Limits.PLANS;

    private static final String TRIM = """
            DELETE FROM @log l
             WHERE l.slot = ? AND l.seq < ?
               AND l.seq < (SELECT n.seq FROM @log n WHERE n.slot = ? ORDER BY n.seq DESC LIMIT 1)
            """;

    private final Parts parts;
    private final Runner runner;
    private final long keptMicros;
    private volatile boolean stopped;
    private @Nullable Thread thread;
    private boolean failing;
    private long compared;
    private long trimmed;

    Follower(Parts parts, Duration kept) {
        this.parts = parts;
        this.runner = Runner.of(parts.connections());
        this.keptMicros = kept.toNanos() / 1_000;
    }

    void start() {
        compared = System.nanoTime();
        trimmed = compared;
        Thread started = new Thread(this::run, "ttl-store-follow");
        started.setDaemon(true);
        started.start();
        thread = started;
    }

    void stop() {
        stopped = true;
        Thread running = thread;
        if (running == null || running == Thread.currentThread()) {
            return;
        }
        LockSupport.unpark(running);
        try {
            running.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopped) {
            long pause = parts.isDistributed() ? DISTRIBUTED_PAUSE_NANOS : PAUSE_NANOS;
            try {
                turn();
                failing = false;
            } catch (StoreClosedException e) {
                return;
            } catch (RuntimeException | Error e) { // either would end the reports of other nodes silently
                pause = RETRY_NANOS;
                failed(e);
            }
            if (!stopped) {
                LockSupport.parkNanos(this, pause);
            }
        }
    }

    private void failed(Throwable e) {
        if (!failing && !stopped) {
            failing = true;
            try {
                log.warn("The commits of other nodes could not be read; this is retried each second", e);
            } catch (RuntimeException | Error ignored) { // such as too little memory for the message
                return;
            }
        }
    }

    private void turn() {
        boolean more = true;
        while (more && !stopped) {
            Script script = runner.script().add(BEGIN);
            if (!script.isDistributed()) {
                script.add(PLANS);
            }
            List<LogRow> rows = parts.following().news(script, parts.slots().all());
            parts.connections().run(script.add("ROLLBACK")); // which ends a transaction that only reads
            more = parts.following().report(rows);
        }
        long now = System.nanoTime();
        if (now - compared > COMPARE_NANOS) {
            compared = now;
            Map<Integer, Following.Place> before = parts.following().places();
            parts.following().compare(before, heads());
        }
        if (now - trimmed > TRIM_NANOS) {
            trimmed = now;
            try {
                trim();
            } catch (StoreClosedException e) {
                throw e;
            } catch (StoreException | ConflictException e) { // such as on a standby
                log.debug("The log could not be trimmed; this is retried", e);
            }
        }
    }

    /** Reads the heads of all slots. */
    List<Head> heads() {
        List<Head> heads = new ArrayList<>();
        runner.run(Head.query(runner.script(), parts.slots().all(), heads::add));
        heads.forEach(head -> parts.times().told(head.time()));
        return heads;
    }

    /** Removes old commits from the log, but never the newest one of a slot. */
    void trim() {
        long before = Sql.micros(parts.times().now()) - keptMicros;
        for (int slot : parts.slots().all()) {
            parts.connections()
                    .run(parts.limits()
                            .begin(parts.connections().script())
                            .add(TRIM, slot, before, slot)
                            .add("COMMIT"));
        }
    }
}
