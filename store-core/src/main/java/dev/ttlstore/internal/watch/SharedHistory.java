package dev.ttlstore.internal.watch;

import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.support.BytePermits;
import dev.ttlstore.event.StoreEvent;

/**
 * The last events of data that several processes write. Numbers rise within an order: a namespace, or a group outside
 * namespaces. Numbers of different orders say nothing about each other. So a watch of one order resumes only after a
 * number that is still known here, because only the events after that are surely here. A watch over several orders cannot
 * resume: its reader may have seen a number elsewhere, before events that came earlier here.
 */
final class SharedHistory implements EventHistory {

    /** What a number takes, with its place in a map. */
    private static final int BYTES_OF_NUMBER = 150;

    private final int capacity;
    private final UnaryOperator<String> orders;
    private final Deque<Kept> kept = new LinkedBlockingDeque<>();
    private final BytePermits room;

    /**
     * The orders of known numbers. All events that follow a known number in its order are kept, or on their way. No number
     * is used twice, whatever its order.
     */
    private final Map<Long, String> known = new ConcurrentHashMap<>();

    /** The last number before the history began, which a reader may have from its own write. */
    private volatile @Nullable Kept newest;

    private volatile boolean active;

    /** A number, with its event if it has one that was fed. */
    private record Kept(
            Long sequence, String order, @Nullable StoreEvent event) {

        private long bytes() {
            return event == null ? BYTES_OF_NUMBER : EventSizes.of(event) + BYTES_OF_NUMBER;
        }
    }

    SharedHistory(int capacity, UnaryOperator<String> orders) {
        this.capacity = capacity;
        this.room = EventSizes.room(capacity);
        this.orders = orders;
    }

    private String order(StoreEvent event) {
        return orders.apply(event.group());
    }

    @Override
    public void activate(long from, String watched) {
        if (capacity == 0) {
            return;
        }
        boolean first = !active;
        active = true; // before the newest number is read: the events of a later commit will be kept
        Kept before = newest;
        if (first && before != null) {
            keep(before);
        }
        String order = orders.apply(watched);
        if (from != Long.MIN_VALUE && !order.isEmpty()) {
            keep(new Kept(from, order, null));
        }
    }

    @Override
    public void committed(List<StoreEvent> commit) {
        if (capacity == 0 || commit.isEmpty()) {
            return;
        }
        StoreEvent last = commit.get(commit.size() - 1);
        newest = new Kept(last.sequence(), order(last), null);
        if (active) {
            commit.forEach(event -> known.put(event.sequence(), order(event)));
        }
    }

    /** Later numbers become known again, but not those of events that still have to be fed. {@link #lost} sees to that. */
    @Override
    public void missed() {
        newest = null;
        known.clear();
    }

    @Override
    public boolean isOrdered() {
        return false;
    }

    /** Not called: other processes learn of every event. */
    @Override
    public void passed(long sequence) {
        throw new UnsupportedOperationException("Commits of a shared engine leave nothing out");
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public void add(StoreEvent event) {
        if (active) {
            keep(new Kept(event.sequence(), order(event), event));
        }
    }

    private void keep(Kept next) {
        kept.add(next);
        room.takeAnyway(next.bytes());
        known.put(next.sequence(), next.order());
        while (kept.size() > capacity || !room.isLeft()) {
            removeOldest();
        }
    }

    private void removeOldest() {
        Kept oldest = kept.remove();
        room.giveBack(oldest.bytes());
        known.remove(oldest.sequence());
    }

    @Override
    public void lost() {
        while (!kept.isEmpty()) {
            removeOldest();
        }
    }

    @Override
    public boolean isReached(long sequence, String watched) {
        return orders.apply(watched).equals(known.get(sequence));
    }

    @Override
    public boolean isCompleteAfter(long sequence, String watched) {
        return isReached(sequence, watched);
    }

    @Override
    public List<StoreEvent> after(long sequence, String watched) {
        String order = orders.apply(watched);
        return kept.stream()
                .filter(number -> number.order().equals(order) && number.sequence() > sequence)
                .flatMap(number -> Stream.ofNullable(number.event()))
                .toList();
    }
}
