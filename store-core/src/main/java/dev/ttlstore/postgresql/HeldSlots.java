package dev.ttlstore.postgresql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

import dev.ttlstore.engine.ClockLeap;
import dev.ttlstore.postgresql.LogRow.LogPlace;

/**
 * The slots that a commit has locked, in the order of their numbers. With each lock it reads the head of the slot, and what others
 * have committed there since this node's place. Used by one thread.
 */
final class HeldSlots {

    private final Node node;
    private final Runner runner;
    private final TreeMap<Integer, LockedSlot> held = new TreeMap<>();
    private final Set<Integer> queued = new TreeSet<>();
    private final List<LogRow> news = new ArrayList<>();
    private long now = Long.MIN_VALUE;

    /**
     * Begins without any.
     *
     * @param node what all commits share
     * @param runner runs scripts in the transaction, after what was written before
     */
    HeldSlots(Node node, Runner runner) {
        this.node = node;
        this.runner = runner;
    }

    /** Locks slots, unless they are locked already. */
    void hold(Collection<Integer> slots) {
        Script script = runner.script();
        Locking locking = lock(script, slots);
        if (!script.isEmpty()) {
            runner.run(script);
        }
        locking.end();
    }

    /** Locks slots with the next script of the transaction, before what is added later. */
    void holdNext(Script pending, Collection<Integer> slots) {
        Locking locking = lock(pending, slots);
        queued.addAll(locking.slots);
        Script unused = pending.then(() -> {
            queued.removeAll(locking.slots);
            locking.end();
        });
    }

    /** Adds the locks of those slots that are not locked yet. */
    Locking lock(Script script, Collection<Integer> slots) {
        SortedSet<Integer> missing = new TreeSet<>(slots);
        missing.removeAll(held.keySet());
        missing.removeAll(queued);
        Script unused = Head.lock(script, missing);
        Locking locking = new Locking(missing);
        SortedMap<Integer, LogPlace> places = node.cursor().places(missing);
        Set<Integer> unfollowed = new TreeSet<>(missing);
        unfollowed.removeAll(places.keySet());
        if (!unfollowed.isEmpty()) {
            Script unusedToo = Head.query(script, unfollowed, locking.heads::add);
        }
        if (!places.isEmpty()) {
            since(script, places, locking.heads);
        }
        return locking;
    }

    /** Slots whose locks are under way. */
    final class Locking {
        private final Set<Integer> slots;
        private final List<Head> heads = new ArrayList<>();

        private Locking(Set<Integer> slots) {
            this.slots = slots;
        }

        /** Takes the heads, once the script has run. */
        void end() {
            Set<Integer> unknown = new TreeSet<>(slots);
            heads.forEach(head -> unknown.remove(head.slot()));
            if (!unknown.isEmpty()) {
                // The server has lost the commits that this node knows, as after a failover.
                runner.run(Head.query(runner.script(), unknown, heads::add));
            }
            for (Head head : heads) {
                node.timelines().requireSettled(head);
                held.put(head.slot(), new LockedSlot(head));
                tell(head);
            }
        }
    }

    private void since(Script script, SortedMap<Integer, LogPlace> places, List<Head> heads) {
        SortedMap<Integer, Head> found = new TreeMap<>();
        List<LogRow> rows = new ArrayList<>();
        Script unused = Head.since(script, places, node.times().isFollowing(), row -> {
                    LogRow commit = LogRow.ofHead(row);
                    if (!found.containsKey(commit.slot())) {
                        found.put(commit.slot(), Head.of(row));
                    }
                    rows.add(commit);
                })
                .then(() -> {
                    heads.addAll(found.values());
                    Collections.reverse(rows);
                    news.addAll(rows);
                });
    }

    private void tell(Head head) {
        node.times().heard(head.micros());
        now = Math.max(now, node.times().told(head.time()));
    }

    /** Returns a slot, and locks it if it is not locked yet. */
    LockedSlot get(int slot) {
        if (queued.contains(slot)) {
            runner.run(runner.script());
        }
        if (!held.containsKey(slot)) {
            hold(List.of(slot));
        }
        return Head.required(slot, held.get(slot));
    }

    /** Returns all of them, by their numbers. */
    SortedMap<Integer, LockedSlot> all() {
        if (!queued.isEmpty()) {
            runner.run(runner.script());
        }
        return held;
    }

    /** Adds the numbers that were handed out in each slot, after the transaction has ended. */
    void logNumbers(Script script, UUID batch) {
        held.values().forEach(slot -> slot.logNumbers(script, batch));
    }

    /** Returns the time of the commit: not before that of any of the slots, or of all slots if none is locked yet. */
    long now() {
        if (now == Long.MIN_VALUE) {
            runner.run(Head.query(runner.script(), node.slots().all(), this::tell));
        }
        return now;
    }

    /** Makes the time of the commit not earlier than another, unless that is not believable. */
    void notBefore(long time) {
        if (ClockLeap.isBelievable(time, now())) {
            now = Math.max(now, node.times().told(time));
        }
    }

    /** Returns the commits of others that were found in the log of the slots. */
    List<LogRow> news() {
        return news;
    }
}
