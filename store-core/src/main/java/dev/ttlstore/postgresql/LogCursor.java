package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.engine.Change;
import dev.ttlstore.engine.RemoteChanges;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.support.Deadline;
import dev.ttlstore.postgresql.LogRow.LogPlace;
import dev.ttlstore.postgresql.LogRow.OwnCommit;

import static java.util.Objects.requireNonNull;

/**
 * How far this node has come in the log of each slot. Commits of other nodes are reported in the order of the log, and this
 * node's own commits take their place in it. Thread-safe.
 */
final class LogCursor {

    private static final Logger log = LoggerFactory.getLogger(LogCursor.class);

    /** How often the log says that events of other nodes come too fast. */
    private static final long OVERLOAD_LOG_NANOS = Duration.ofMinutes(1).toNanos();

    private final Slots slots;
    private final Map<Integer, LogPlace> places = new HashMap<>();

    /** For slots that hold events back, the place after which they do. Caches of rows and times know of all commits. */
    private final Map<Integer, LogPlace> heldBack = new HashMap<>();

    private @Nullable RemoteChanges remote;
    private long overloadLogged = System.nanoTime() - OVERLOAD_LOG_NANOS;

    /** The commits of this node that are under way: nothing after one of them is reported before it. */
    private final Set<UUID> underWay = new HashSet<>();

    /** How far a report has come. */
    enum Progress {

        /** All commits that were read are reported. */
        ALL,

        /** There may be more to read. */
        MORE,

        /** Some are held back until it is known what becomes of a commit of this node. */
        WAITING,

        /** The log of some slot has nothing from this node's place on, not even the place itself. */
        LOST
    }

    LogCursor(Slots slots) {
        this.slots = slots;
    }

    /** Starts with the present heads. */
    synchronized void start(Collection<LogHead> heads, RemoteChanges changes) {
        heads.forEach(head -> places.put(head.slot(), new LogPlace(head.seq(), head.batch())));
        remote = changes;
    }

    /** Returns this node's place in a slot; null while it does not follow. */
    synchronized @Nullable LogPlace place(int slot) {
        return places.get(slot);
    }

    /** Returns this node's places in those of some slots that it follows. */
    synchronized SortedMap<Integer, LogPlace> places(Collection<Integer> some) {
        SortedMap<Integer, LogPlace> found = new TreeMap<>();
        for (int slot : some) {
            LogPlace place = places.get(slot);
            if (place != null) {
                found.put(slot, place);
            }
        }
        return found;
    }

    /** Adds the query for the commits since the present places of some slots, if this node follows. */
    List<LogRow> news(Script script, Collection<Integer> some) {
        List<LogRow> rows = new ArrayList<>();
        addSince(script, places(some), rows);
        return rows;
    }

    private static void addSince(Script script, SortedMap<Integer, LogPlace> from, List<LogRow> rows) {
        if (!from.isEmpty()) {
            Script unused = script.query(LogRow.SINCE, row -> rows.add(LogRow.of(row)), LogPlace.columns(from));
        }
    }

    /** Notes a commit that this node is about to make. */
    synchronized void begin(UUID batch) {
        boolean unused = underWay.add(batch);
    }

    /** Notes that a commit is reported, or was not made, or that nobody knows. In this case it is reported like others if it appears in the log. */
    synchronized void ended(UUID batch) {
        boolean unused = underWay.remove(batch);
        notifyAll();
    }

    /**
     * Returns those slots of a commit of this node in which not all that came before it was read: this node had paused, or the log has
     * lost commits. Waits for those of this node that came before it: each waits for earlier ones only.
     *
     * @param commit the commit
     * @param waiting called before it waits. What the thread holds may be what an earlier commit needs to end
     */
    synchronized Set<Integer> unread(OwnCommit commit, Runnable waiting) {
        awaitOwn(commit, commit.before(), waiting);
        return remote == null
                ? Set.of()
                : commit.own().stream()
                        .map(LogRow::slot)
                        .filter(slot -> places.containsKey(slot) && !reachesPlace(slot, commit.before()))
                        .collect(Collectors.toSet());
    }

    private boolean reachesPlace(int slot, List<LogRow> rows) {
        LogPlace place = requireNonNull(places.get(slot));
        List<LogRow> found = rows.stream().filter(row -> row.slot() == slot).toList();
        return !found.isEmpty()
                && !place.isBehind(found.get(0))
                && found.stream().noneMatch(row -> row.isUnread() && row.seq() > place.seq());
    }

    /**
     * Reports the commits of others that came before one of this node, and then runs the end of this one. Those of this node that came
     * before it have ended.
     *
     * @param commit the commit
     * @param unread the slots in which more has come before, and could not be read
     * @param committed the end of the commit
     */
    synchronized void committed(OwnCommit commit, Set<Integer> unread, Runnable committed) {
        RemoteChanges to = remote;
        try {
            if (to != null) {
                reportBefore(commit, unread, to);
            }
        } finally { // it is made, and must not be made again
            committed.run();
        }
    }

    private void reportBefore(OwnCommit commit, Set<Integer> unread, RemoteChanges to) {
        Map<Integer, LogPlace> missed = new TreeMap<>();
        unread.forEach(slot -> missed.computeIfAbsent(slot, places::get));
        LogRow.bySlot(commit.before()).forEach((slot, rows) -> {
            if (!unread.contains(slot) && isToReport(slot, commit)) {
                try {
                    boolean unused = reportSlot(slot, rows);
                } catch (RuntimeException | Error e) {
                    missed.put(slot, requireNonNull(places.get(slot)));
                    advance(rows);
                    log.warn("Commits of other nodes could not be reported, so watches report a gap", e);
                }
            }
        });
        advance(commit.own()); // otherwise this node would report it as another's
        missed.forEach((slot, place) -> lost(slot, place, to));
        commit.own().forEach(row -> leaveOut(row.slot(), to)); // the events of this commit cannot wait for others
    }

    private void advance(List<LogRow> rows) {
        for (LogRow row : rows) {
            LogPlace place = places.get(row.slot());
            if (place == null || place.seq() < row.seq()) {
                places.put(row.slot(), row.place());
            }
        }
    }

    /** Where this node has changed nothing, what was not read completely is read later. */
    private boolean isToReport(int slot, OwnCommit commit) {
        return commit.own().stream().anyMatch(row -> row.slot() == slot)
                || (places.containsKey(slot) && reachesPlace(slot, commit.before()));
    }

    /** Reports commits of others that came before one of this node, as {@link #report} does, and waits for those of this node among them. */
    synchronized Progress reportBefore(OwnCommit commit, List<LogRow> rows, Runnable waiting) {
        awaitOwn(commit, rows, waiting);
        return report(rows);
    }

    /** A commit that has added nothing has no place to keep, and may still have its slots locked, for which an earlier one may wait. */
    private void awaitOwn(OwnCommit commit, List<LogRow> before, Runnable waiting) {
        boolean interrupted = false;
        while (!commit.own().isEmpty() && isOneUnderWay(commit.batch(), before)) {
            try {
                waiting.run();
                wait();
            } catch (InterruptedException e) {
                interrupted = true; // the commit is made, and the other one ends on its own
            }
        }
        Deadline.restoreInterrupt(interrupted);
    }

    /** Tests whether another commit of this node is under way that comes before one of this node in the log of a slot. */
    private boolean isOneUnderWay(@Nullable UUID batch, List<LogRow> rows) {
        if (underWay.isEmpty() || (batch != null && underWay.size() == 1)) {
            return false;
        }
        Set<Integer> reached = new HashSet<>();
        for (LogRow row : rows) {
            if (row.batch().equals(batch)) {
                reached.add(row.slot());
            } else if (!reached.contains(row.slot()) && underWay.contains(row.batch())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reports what others have committed.
     *
     * @param rows commits of some slots, as {@link LogRow#SINCE} reads them
     * @return how far this has come
     */
    synchronized Progress report(List<LogRow> rows) {
        Map<Integer, List<LogRow>> bySlot = LogRow.bySlot(rows);
        boolean more = false;
        boolean waiting = false;
        for (Map.Entry<Integer, List<LogRow>> slot : bySlot.entrySet()) {
            boolean all = reportSlot(slot.getKey(), slot.getValue());
            more |= all && LogRow.isPart(slot.getValue());
            waiting |= !all;
        }
        if (more) {
            return Progress.MORE;
        }
        return waiting ? Progress.WAITING : bySlot.size() < places.size() ? Progress.LOST : Progress.ALL;
    }

    /** Reports the commits of a slot that were read. Returns false if it has come to a commit of this node that is under way. */
    private boolean reportSlot(int slot, List<LogRow> rows) {
        LogPlace place = places.get(slot);
        RemoteChanges to = remote;
        if (place == null || to == null) {
            return false;
        }
        LogRow first = rows.get(0);
        if (place.isBehind(first)) {
            lost(slot, place, to);
        }
        for (LogRow row : rows) {
            if (underWay.contains(row.batch())) {
                return false;
            }
            if (row.isUnread()) {
                return true;
            }
            if (row.seq() > place.seq()) {
                report(row, to);
                places.put(slot, row.place());
            }
        }
        return true;
    }

    private void lost(int slot, LogPlace place, RemoteChanges to) {
        log.warn(
                "Commits of other nodes are missing in the log of slot {}, or could not be read: this node was away for longer than"
                        + " the log is kept, the server was restored, or the connection was lost. Watches report a gap",
                slot);
        LogPlace held = heldBack.get(slot);
        to.lost(slots.number(slot, (held == null ? place : held).seq() + 1));
        heldBack.remove(slot);
    }

    /** Replaces the events of a slot that are held back by a gap. */
    private void leaveOut(int slot, RemoteChanges to) {
        LogPlace held = heldBack.get(slot);
        if (held == null) {
            return;
        }
        if (System.nanoTime() - overloadLogged >= OVERLOAD_LOG_NANOS) {
            overloadLogged = System.nanoTime();
            log.warn(
                    "Listeners do not keep up with the events of other nodes, so some are left out, and watches report a gap."
                            + " Let listeners pass long work to another thread");
        }
        to.unreported(slots.number(slot, held.seq() + 1));
        heldBack.remove(slot);
    }

    /** Tests whether events of some slots are held back. */
    synchronized boolean isHoldingBack() {
        return !heldBack.isEmpty();
    }

    /** Adds the query for the commits whose events are held back. */
    List<LogRow> heldBack(Script script) {
        List<LogRow> rows = new ArrayList<>();
        SortedMap<Integer, LogPlace> from;
        synchronized (this) {
            from = new TreeMap<>(heldBack);
        }
        addSince(script, from, rows);
        return rows;
    }

    /**
     * Reports events that were held back, as long as there is room for them.
     *
     * @param rows the commits, as {@link #heldBack(Script)} has read them
     * @return whether there are more that may be read now
     */
    synchronized boolean release(List<LogRow> rows) {
        RemoteChanges to = remote;
        if (to == null) {
            return false;
        }
        boolean more = false;
        for (List<LogRow> ofSlot : LogRow.bySlot(rows).values()) {
            more |= release(ofSlot.get(0).slot(), ofSlot, to);
        }
        return more && to.hasRoom();
    }

    private boolean release(int slot, List<LogRow> rows, RemoteChanges to) {
        LogPlace from = heldBack.get(slot);
        LogPlace place = places.get(slot);
        if (from == null || place == null) {
            return false; // a commit of this node has overtaken them
        }
        if (from.isBehind(rows.get(0))) {
            leaveOut(slot, to); // they were removed from the log meanwhile
            return false;
        }
        for (LogRow row : rows) {
            if (row.isUnread() || row.seq() > place.seq() || !to.hasRoom()) {
                break;
            }
            if (row.seq() > from.seq()) {
                List<Change> changes = row.decoded(slots);
                if (changes == null) {
                    leaveOut(slot, to);
                    return false;
                }
                to.released(changes);
                from = row.place();
            }
        }
        if (from.seq() < place.seq()) {
            heldBack.put(slot, from);
            return true;
        }
        heldBack.remove(slot);
        return false;
    }

    /** Returns the present places, for {@link #compare}. */
    synchronized Map<Integer, LogPlace> places() {
        return Map.copyOf(places);
    }

    /**
     * Starts over in slots whose log no longer has this node's place and nothing after it, as after a failover to a server that
     * had lost commits.
     *
     * @param before the places before the heads were read
     * @param heads the heads of all slots
     */
    synchronized void compare(Map<Integer, LogPlace> before, Collection<LogHead> heads) {
        RemoteChanges to = remote;
        for (LogHead head : heads) {
            LogPlace place = before.get(head.slot());
            boolean fallenBack = place != null
                    && head.seq() < place.seq()
                    && place.equals(places.get(head.slot())); // otherwise a commit has moved it meanwhile
            if (to != null && fallenBack) {
                LogPlace present = new LogPlace(head.seq(), head.batch());
                lost(head.slot(), present, to);
                places.put(head.slot(), present);
            }
        }
    }

    private void report(LogRow row, RemoteChanges to) {
        List<Change> changes = row.decoded(slots);
        LogPlace place = requireNonNull(places.get(row.slot()));
        if (changes == null) {
            lost(row.slot(), place, to);
        } else if (!changes.isEmpty() && (heldBack.containsKey(row.slot()) || !to.hasRoom())) {
            heldBack.putIfAbsent(row.slot(), place);
            to.heldBack(changes);
        } else if (!changes.isEmpty()) {
            to.changed(changes);
        }
        if (row.due() != Row.NEVER || row.deliveries()) {
            to.wake(Math.max(row.due(), ServerClock.LONG_AGO), row.deliveries());
        }
    }
}
