package dev.ttlstore.internal.purge;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.Condition;
import dev.ttlstore.engine.Effect;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.GroupInfo;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Request;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.exception.Printable;
import dev.ttlstore.internal.commit.CommitPipeline;
import dev.ttlstore.internal.commit.PagedChange;

/**
 * Mends what was written while the clock was far ahead, once it is right again: such an entry lives for its ttl from now. It reads all
 * entries, which happens once after such a leap, and changes them in small commits. An entry shows by its times that it was written
 * then, so several nodes may do this at once, and do it again after a crash. Thread-safe.
 */
public final class ClockLeapRepair {

    private static final Logger log = LoggerFactory.getLogger(ClockLeapRepair.class);

    private static final int GROUPS_PER_PAGE = 256;
    private static final int ROWS_PER_COMMIT = 256;

    private final Engine engine;
    private final CommitPipeline pipeline;
    private final Runnable retries;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * Prepares to mend.
     *
     * @param engine finds entries, and knows whether the clock was ahead
     * @param pipeline takes writes
     * @param retries brings forward the retries of deliveries that wait for a time of a clock that was ahead
     */
    public ClockLeapRepair(Engine engine, CommitPipeline pipeline, Runnable retries) {
        this.engine = engine;
        this.pipeline = pipeline;
        this.retries = retries;
    }

    /**
     * Mends all entries if the clock was ahead and is right again. An interrupt of the thread ends this after the current commit, and
     * the next call goes through all entries again. Does nothing while another thread is at it.
     */
    public void run() {
        if (isDue() && !lock.isHeldByCurrentThread() && lock.tryLock()) {
            try {
                ClockLeap leap = leap();
                if (leap != null) {
                    mend(leap);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Tests whether there is something to mend now. */
    boolean isDue() {
        return leap() != null;
    }

    /** Returns the leap after which entries are to be mended now; null if there is none. */
    private @Nullable ClockLeap leap() {
        ClockLeap leap = engine.clock().leap();
        return leap != null && leap.isToMend(engine.clock().now()) ? leap : null;
    }

    private void mend(ClockLeap leap) {
        retries.run();
        while (!isInterrupted() && isAnyRetained()) {
            int unused = pipeline.run(new Command.MendRetained(ROWS_PER_COMMIT));
        }
        long mended = 0;
        GroupRange rest = GroupRange.ALL;
        List<GroupInfo> groups;
        do {
            groups = engine.reads().groups(Scan.groups(rest, Reads.ALL, GROUPS_PER_PAGE));
            for (GroupInfo found : groups) {
                if (!isInterrupted()) {
                    mended += mend(found.group());
                }
                rest = rest.after(found.group());
            }
        } while (groups.size() == GROUPS_PER_PAGE && !isInterrupted());
        if (!isInterrupted()) {
            engine.clock().mended(leap, mended);
            log.info(
                    "The clock was ahead for a while. {} entries from then have got the expiry that they should have",
                    mended);
        }
    }

    private boolean isAnyRetained() {
        long after = engine.clock().now() + ClockLeap.MOST_MILLIS;
        return Retentions.isAny(engine.reads(), Scan.retained(GroupRange.ALL, after + 1, Long.MAX_VALUE, 1));
    }

    private long mend(String group) {
        Scan all = Scan.group(group, Reads.ALL, ROWS_PER_COMMIT);
        return PagedChange.run(
                "Mending the expiry of entries in group '" + Printable.of(group) + "'",
                last -> engine.reads().page(all.after(last)),
                this::isAhead,
                Long.MAX_VALUE,
                ClockLeapRepair::isInterrupted,
                keys -> pipeline.submit(Request.each(keys, Condition.LIVE, Effect.MEND))
                        .applied());
    }

    private boolean isAhead(Row row) {
        return !ClockLeap.isBelievable(
                Math.max(row.createdAt(), row.updatedAt()), engine.clock().now());
    }

    private static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }
}
