package dev.ttlstore.engine.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.Deliveries.Backlog;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.DeliveryCommand;
import dev.ttlstore.engine.DeliveryCommand.DeliveryUpdate;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.KeyValue;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;

/**
 * Subscribers and deliveries in maps, found by looking at all of them. A transaction changes a {@link #copy}, and a
 * commit puts that in the place of the original. Not thread-safe while it is changed.
 */
public final class FakeDeliveryTable implements DeliveryTable {

    /** The time of a parked delivery; that of a dead letter is {@link Row#NEVER}. */
    private static final long PARKED = Row.NEVER - 1;

    private final SortedMap<String, Subscriber> subscribers = new TreeMap<>();
    private final SortedMap<Long, Stored> deliveries = new TreeMap<>();
    private long lastId;

    @SuppressWarnings("ArrayRecordComponent") // values are never compared
    private record Stored(Delivery delivery, byte[] value) {

        Line line() {
            return new Line(delivery.subscriber(), delivery.key());
        }

        boolean isDead() {
            return delivery.nextAt() == Row.NEVER;
        }

        boolean isWaiting() {
            return !isDead();
        }

        boolean isParked() {
            return delivery.nextAt() == PARKED;
        }

        boolean isTimed() {
            return isWaiting() && !isParked();
        }

        Stored with(int attempts, long nextAt, @Nullable String error) {
            return new Stored(
                    new Delivery(
                            delivery.id(),
                            delivery.subscriber(),
                            delivery.key(),
                            delivery.version(),
                            delivery.expiresAt(),
                            attempts,
                            nextAt,
                            error),
                    value);
        }

        Stored at(long nextAt) {
            return with(delivery.attempts(), nextAt, delivery.error());
        }
    }

    /** Returns the same subscribers and deliveries, which change separately from now on. */
    public FakeDeliveryTable copy() {
        FakeDeliveryTable copy = new FakeDeliveryTable();
        copy.subscribers.putAll(subscribers);
        copy.deliveries.putAll(deliveries);
        copy.lastId = lastId;
        return copy;
    }

    /** Returns all deliveries by id. */
    public List<Delivery> all() {
        return deliveries.values().stream().map(Stored::delivery).toList();
    }

    /** Tests whether a delivery waits for another one of its line. */
    public boolean isParked(long id) {
        Stored stored = deliveries.get(id);
        return stored != null && stored.isParked();
    }

    private Stream<Stored> of(String subscriber, Predicate<Stored> state) {
        return deliveries.values().stream()
                .filter(stored -> stored.delivery().subscriber().equals(subscriber))
                .filter(state);
    }

    private Stream<Stored> waitingIn(Line line) {
        return of(line.subscriber(), Stored::isWaiting)
                .filter(stored -> stored.line().equals(line));
    }

    private void put(Stored stored) {
        deliveries.put(stored.delivery().id(), stored);
    }

    @Override
    public void add(Subscriber subscriber) {
        subscribers.put(subscriber.name(), subscriber);
    }

    @Override
    public void removeSubscriber(String subscriber) {
        subscribers.remove(subscriber);
    }

    /** Returns the last id that was given. */
    public long mark() {
        return lastId;
    }

    @Override
    public long insert(String subscriber, Collection<Row> rows) {
        long mark = lastId;
        for (Row row : rows) {
            lastId++;
            put(new Stored(
                    new Delivery(
                            lastId, subscriber, row.key(), row.version(), row.expiresAt(), 0, row.expiresAt(), null),
                    row.value()));
        }
        return mark;
    }

    @Override
    public List<Long> behind(long mark) {
        return deliveries.tailMap(mark + 1).values().stream()
                .filter(stored -> waitingIn(stored.line())
                        .anyMatch(other ->
                                other.delivery().id() < stored.delivery().id()))
                .map(stored -> stored.delivery().id())
                .toList();
    }

    @Override
    public void schedule(Map<Long, Long> times) {
        times.forEach(this::schedule);
    }

    private void schedule(long id, long time) {
        Stored stored = deliveries.get(id);
        if (stored != null && stored.isWaiting()) {
            put(stored.at(time == Row.NEVER ? PARKED : time));
        }
    }

    @Override
    public List<Waiting> first(Set<Line> lines) {
        return lines.stream()
                .flatMap(line -> waitingIn(line).limit(1))
                .map(stored -> new Waiting(
                        stored.line(), stored.delivery().id(), stored.delivery().expiresAt()))
                .toList();
    }

    @Override
    public Set<Line> remove(Collection<Long> ids) {
        Set<Line> removed = new HashSet<>();
        for (long id : ids) {
            Stored stored = deliveries.get(id);
            if (stored != null && stored.isTimed()) {
                deliveries.remove(id);
                removed.add(stored.line());
            }
        }
        return removed;
    }

    @Override
    public Map<Long, Line> update(Collection<DeliveryUpdate> updates) {
        Map<Long, Line> changed = new HashMap<>();
        for (DeliveryUpdate update : updates) {
            Stored stored = deliveries.get(update.id());
            if (stored != null && stored.isTimed()) {
                put(stored.with(update.attempts(), update.nextAt(), update.error()));
                changed.put(update.id(), stored.line());
            }
        }
        return changed;
    }

    @Override
    public int hasten(String subscriber, long latest) {
        List<Stored> later = of(
                        subscriber,
                        stored -> stored.isTimed() && stored.delivery().nextAt() > latest)
                .toList();
        later.forEach(stored -> put(stored.at(latest)));
        return later.size();
    }

    @Override
    public Map<Long, Line> dead(String subscriber, long id) {
        Map<Long, Line> dead = new HashMap<>();
        deadOf(subscriber, id).forEach(stored -> dead.put(stored.delivery().id(), stored.line()));
        return dead;
    }

    private Stream<Stored> deadOf(String subscriber, long id) {
        return of(subscriber, Stored::isDead)
                .filter(stored -> id == DeliveryCommand.ALL || stored.delivery().id() == id);
    }

    @Override
    public void revive(Collection<Long> ids) {
        for (long id : ids) {
            Stored stored = deliveries.get(id);
            if (stored != null && stored.isDead()) {
                put(stored.with(0, PARKED, stored.delivery().error()));
            }
        }
    }

    @Override
    public int removeDead(String subscriber, long id) {
        return removeAll(deadOf(subscriber, id)).size();
    }

    @Override
    public long countWaiting(String subscriber) {
        return of(subscriber, Stored::isWaiting).count();
    }

    @Override
    public List<Removed> removeOldest(String subscriber, int limit) {
        return removeAll(of(subscriber, Stored::isWaiting)
                        .sorted(Comparator.comparingLong(
                                stored -> stored.delivery().expiresAt()))
                        .limit(limit))
                .stream()
                .map(stored -> new Removed(stored.line(), stored.isTimed()))
                .toList();
    }

    @Override
    public int remove(String subscriber, GroupRange groups, int limit) {
        return removeAll(of(
                                subscriber,
                                stored ->
                                        groups.contains(stored.delivery().key().group()))
                        .sorted(Comparator.comparing(stored -> !stored.isParked()))
                        .limit(limit))
                .size();
    }

    private List<Stored> removeAll(Stream<Stored> some) {
        List<Stored> removed = some.toList();
        removed.forEach(stored -> deliveries.remove(stored.delivery().id()));
        return removed;
    }

    public List<Subscriber> subscribers() {
        return List.copyOf(subscribers.values());
    }

    public List<Delivery> due(String subscriber, long now, int limit) {
        return of(subscriber, stored -> stored.isTimed() && stored.delivery().nextAt() <= now)
                .map(Stored::delivery)
                .sorted(Comparator.comparingLong(Delivery::nextAt))
                .limit(limit)
                .toList();
    }

    public @Nullable KeyValue value(long id) {
        Stored stored = deliveries.get(id);
        return stored == null ? null : new KeyValue(stored.delivery().key().key(), stored.value());
    }

    public long nextAfter(String subscriber, long now) {
        return of(subscriber, Stored::isTimed)
                .mapToLong(stored -> stored.delivery().nextAt())
                .filter(time -> time > now)
                .min()
                .orElse(Row.NEVER);
    }

    public List<Delivery> dead(String subscriber, long after, int limit) {
        return of(subscriber, Stored::isDead)
                .map(Stored::delivery)
                .filter(delivery -> delivery.id() > after)
                .limit(limit)
                .toList();
    }

    public Backlog backlog(String subscriber) {
        return new Backlog(
                countWaiting(subscriber),
                of(subscriber, Stored::isWaiting)
                        .mapToLong(stored -> stored.delivery().expiresAt())
                        .min()
                        .orElse(Row.NEVER),
                of(subscriber, Stored::isDead).count());
    }
}
