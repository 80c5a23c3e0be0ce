package dev.ttlstore.postgresql;

import java.util.Collection;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.support.LeapWatch;
import dev.ttlstore.exception.StoreException;

/**
 * The note, in the table of leases, that the server's clock has leapt. By it a node that starts later mends what was written meanwhile,
 * although no node is left that has seen the leap. Thread-safe.
 */
final class ClockLeapRecord {

    private static final Logger log = LoggerFactory.getLogger(ClockLeapRecord.class);

    private static final String FIND = "SELECT p.until FROM @lease p WHERE p.slot = 0 AND p.role = 'leap'";

    private static final String WRITE =
            "INSERT INTO @lease (slot, role, node, until) VALUES (0, 'leap', ?, ?) ON CONFLICT (slot, role) DO NOTHING";

    private static final String REMOVE = "DELETE FROM @lease p WHERE p.slot = 0 AND p.role = 'leap'";

    private final NodeContext node;
    private volatile boolean written;

    ClockLeapRecord(NodeContext node) {
        this.node = node;
    }

    /**
     * Looks for a note of an earlier node.
     *
     * @param heads the newest commit of each slot, by which the clock may have leapt without a note
     */
    synchronized void find(Collection<LogHead> heads) {
        LeapWatch leaps = node.clock().leaps();
        heads.stream()
                .mapToLong(LogHead::at)
                .max()
                .ifPresent(last -> leaps.beginAfter(last, node.clock().now()));
        Long rightTime = node.connections().<Long>first(FIND, row -> row.getLong(1));
        if (rightTime != null) {
            leaps.found(rightTime);
            written = true;
        }
    }

    /** Writes the note if the clock has leapt, and removes it when all is mended or the leap is believed. */
    synchronized void keep() {
        ClockLeap leap = node.clock().leap();
        if (leap != null && !written) {
            node.connections().change(WRITE, node.id(), leap.rightTime());
        } else if (leap == null && written) {
            node.connections().change(REMOVE);
        }
        written = leap != null;
    }

    /** Writes the note before a write returns. If that fails, it is tried again soon. */
    void keepIfNew() {
        if (!written && node.clock().leap() != null) {
            try {
                keep();
            } catch (StoreException | ConflictException e) {
                log.debug("The leap could not be noted; this is retried", e);
            }
        }
    }
}
