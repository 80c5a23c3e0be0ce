package dev.ttlstore.engine.support;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;
import dev.ttlstore.engine.support.DeliveryTable.Line;
import dev.ttlstore.engine.support.DeliveryTable.Removed;
import dev.ttlstore.engine.support.DeliveryTable.Waiting;

/**
 * Decides the order of deliveries, for any engine. The deliveries of a key to a subscriber are a line. If any
 * delivery of a line waits, exactly one of them has the time of its next attempt, and all others are parked. So a
 * search for due deliveries finds at most one of each line, however long the line is.
 *
 * <p>The rule is kept in two places. A delivery that joins a line is parked if another one waits there. When the
 * delivery with the time leaves, the first of the others by id gets a time. Nothing here ever searches a whole line
 * for the delivery with the time, because a line may be long while its handler fails.
 *
 * <p>Belongs to one transaction, and is used by one thread at a time. Throws what the {@link DeliveryTable} throws.
 *
 * @since 0.1
 */
public final class DeliveryLines {

    private final DeliveryTable table;

    /**
     * Decides about the deliveries of a table.
     *
     * @param table the deliveries, within a transaction
     */
    public DeliveryLines(DeliveryTable table) {
        this.table = table;
    }

    /**
     * Removes some deliveries of a subscriber, and the subscriber itself if few are left. So a removal takes several
     * transactions, and the last one removes the subscriber with its last deliveries.
     *
     * @param subscriber its name
     * @param limit how many deliveries at most
     * @return whether the subscriber was removed
     */
    public boolean remove(String subscriber, int limit) {
        boolean last = table.remove(subscriber, GroupRange.ALL, limit) < limit;
        if (last) {
            table.removeSubscriber(subscriber);
        }
        return last;
    }

    /**
     * Records expiries.
     *
     * @param subscriber the name of the subscriber
     * @param rows the expired rows, in the order of their expiry
     */
    public void record(String subscriber, Collection<Row> rows) {
        inserted(table.insert(subscriber, rows));
    }

    /**
     * Records expiries for each of some subscribers, in whose groups they are.
     *
     * @param subscribers the subscribers
     * @param rows the expired rows, in the order of their expiry
     * @return whether a delivery was recorded
     */
    public boolean record(List<Subscriber> subscribers, Collection<Row> rows) {
        boolean recorded = false;
        for (Subscriber subscriber : subscribers) {
            List<Row> ofSubscriber = rows.stream()
                    .filter(row -> subscriber.selects(row.key().group()))
                    .toList();
            if (!ofSubscriber.isEmpty()) {
                record(subscriber.name(), ofSubscriber);
                recorded = true;
            }
        }
        return recorded;
    }

    /**
     * Parks new deliveries that must wait for others. Called after the engine has inserted deliveries by a statement
     * of its own, as {@link DeliveryTable#insert} does, but without reading the values of their rows. They keep the
     * time of their expiry if they are the first of their line.
     *
     * @param mark separates the deliveries before, as {@link DeliveryTable#insert} says
     */
    public void inserted(long mark) {
        table.schedule(table.behind(mark).stream().collect(Collectors.toMap(id -> id, id -> Row.NEVER)));
    }

    /**
     * Removes deliveries that are done.
     *
     * @param ids their ids
     * @param now the time
     */
    public void acknowledge(Collection<Long> ids, long now) {
        advance(table.remove(ids), now);
    }

    /**
     * Stores the new state of deliveries after a failed attempt. Ignores deliveries that no longer exist.
     *
     * @param updates the new states
     * @param now the time
     */
    public void update(Collection<DeliveryUpdate> updates, long now) {
        Map<Long, Line> changed = table.update(updates);
        Set<Line> left = new HashSet<>();
        for (DeliveryUpdate update : updates) {
            Line line = changed.get(update.id());
            if (line != null && update.nextAt() == Row.NEVER) {
                left.add(line);
            }
        }
        advance(left, now);
    }

    /**
     * Makes dead letters wait for an attempt again, starting with the first attempt.
     *
     * <p>A retried dead letter has a lower id than the deliveries that came after it. If one of these has the time,
     * it may be with a handler now, so the dead letter is parked. It is the next one.
     *
     * @param subscriber the subscriber
     * @param id the id of a dead letter, or {@link DeliveryCommand#ALL}
     * @param now the time
     * @return how many there were
     */
    public int retry(String subscriber, long id, long now) {
        Map<Long, Line> dead = table.dead(subscriber, id);
        Set<Line> idle = new HashSet<>(dead.values());
        table.first(idle).forEach(waiting -> idle.remove(waiting.line()));
        table.revive(dead.keySet());
        advance(idle, now);
        return dead.size();
    }

    /**
     * Removes the oldest deliveries that wait for an attempt, down to a number that it keeps.
     *
     * @param subscriber the subscriber
     * @param keep how many to keep
     * @param limit how many to remove at most
     * @param now the time
     * @return how many were removed
     */
    public int trim(String subscriber, long keep, int limit, long now) {
        // Counted here, because another process may have removed some since the caller counted.
        long excess = Math.min(limit, table.countWaiting(subscriber) - keep);
        if (excess <= 0) {
            return 0;
        }
        List<Removed> removed = table.removeOldest(subscriber, (int) excess);
        Set<Line> left = new HashSet<>();
        for (Removed delivery : removed) {
            if (delivery.timed()) {
                left.add(delivery.line());
            }
        }
        advance(left, now);
        return removed.size();
    }

    /** Gives a time to the first waiting delivery of lines in which none has one. */
    private void advance(Set<Line> lines, long now) {
        Map<Long, Long> times = new HashMap<>();
        for (Waiting first : table.first(lines)) {
            times.put(first.id(), Math.min(first.expiresAt(), now));
        }
        table.schedule(times);
    }
}
