package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.support.BackgroundThreads;
import dev.ttlstore.exception.StoreException;

/** How a node leaves the others when its store closes. Thread-safe. */
final class Leaving {

    private static final Logger log = LoggerFactory.getLogger(Leaving.class);

    private static final String LEAVE =
            "UPDATE @lease p SET until = 0 WHERE p.node = ? AND p.slot = ANY (?) AND p.role LIKE 'deliver %'";

    /** How long a store that closes may wait for the server even if its time is up, because the server mostly answers. */
    private static final Duration LEAST_TO_LEAVE = Duration.ofMillis(250);

    private final NodeParts parts;
    private final Coordination nodes;

    Leaving(NodeParts parts, Coordination nodes) {
        this.parts = parts;
        this.nodes = nodes;
    }

    /** Gives the leases of this node back, tells the others, and closes the connections. */
    void leave() {
        nodes.stop();
        try {
            nodes.follower().leaps().keep();
            Script script = parts.connections()
                    .script()
                    .add(LEAVE, parts.node(), SlotColumns.integers(parts.slots().all()));
            parts.connections().change(parts.timeouts(), nodes.leave(script));
        } catch (StoreException | ConflictException e) {
            log.debug("The leases of this node end by themselves", e);
        } finally {
            nodes.join();
            parts.connections().close();
        }
    }

    /**
     * Leaves in a thread of its own, because the driver and the pool may wait for a silent server for much longer.
     *
     * @param timeout how long this may take; a short time may be exceeded a little
     */
    void leaveWithin(Duration timeout) {
        Thread leaving = BackgroundThreads.named("ttl-store-leave").newThread(this::leave);
        try {
            leaving.start();
        } catch (OutOfMemoryError e) { // there may be no room for a thread
            leave();
            return;
        }
        if (!hasEnded(leaving, timeout.compareTo(LEAST_TO_LEAVE) < 0 ? LEAST_TO_LEAVE : timeout)) {
            log.info("PostgreSQL did not answer in time, so the store closes without it. The leases of this node end by"
                    + " themselves");
            parts.connections().close();
        }
    }

    /** Waits for a thread, also if this one is interrupted, and returns whether it has ended in time. */
    private static boolean hasEnded(Thread thread, Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        while (thread.isAlive() && end - System.nanoTime() > 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, end - System.nanoTime());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
