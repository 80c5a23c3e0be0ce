package dev.ttlstore.contract.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.ttlstore.Entry;
import dev.ttlstore.Expiry;
import dev.ttlstore.KeyRange;
import dev.ttlstore.TextGroup;

/** The operations that a run is made of. A new one is one entry in the list. */
public final class Operations {

    private static final List<ModelOperation> ON_GROUPS = List.of(
            of(
                    "put",
                    10,
                    (p, a) -> done(() -> group(p, a).put(a.key(), a.value())),
                    (m, a, x) -> done(() -> m.put(a.group(), a.key(), a.value(), ModelEntry.NEVER))),
            of(
                    "put(ttl)",
                    20,
                    (p, a) -> done(() -> group(p, a).put(a.key(), a.value(), a.ttl())),
                    (m, a, x) -> done(() -> m.put(a.group(), a.key(), a.value(), after(m, a.ttl())))),
            of(
                    "put(expiresAt)",
                    10,
                    (p, a) -> done(() -> group(p, a).put(a.key(), a.value(), a.expiresAt())),
                    (m, a, x) -> done(() -> m.put(a.group(), a.key(), a.value(), at(m, a.expiresAt())))),
            of("add", 1, (p, a) -> group(p, a).add(a.value()), (m, a, x) -> add(m, a, x, ModelEntry.NEVER)),
            of(
                    "add(ttl)",
                    4,
                    (p, a) -> group(p, a).add(a.value(), a.ttl()),
                    (m, a, x) -> add(m, a, x, after(m, a.ttl()))),
            of("get", 5, (p, a) -> group(p, a).get(a.key()), (m, a, x) -> m.value(a.group(), a.key())),
            of("contains", 5, (p, a) -> group(p, a).contains(a.key()), (m, a, x) -> m.value(a.group(), a.key())
                    .isPresent()),
            of("take", 6, (p, a) -> group(p, a).take(a.key()), (m, a, x) -> m.remove(a.group(), a.key())),
            of("delete", 6, (p, a) -> group(p, a).delete(a.key()), (m, a, x) -> m.remove(a.group(), a.key())
                    .isPresent()),
            of(
                    "putIfAbsent(ttl)",
                    6,
                    (p, a) ->
                            group(p, a).putIfAbsent(a.key(), a.value(), a.ttl()).isPresent(),
                    (m, a, x) -> m.putIf(a.group(), a.key(), a.value(), after(m, a.ttl()), Optional::isEmpty)),
            of(
                    "replace",
                    6,
                    (p, a) -> group(p, a).replace(a.key(), a.other(), a.value()).isPresent(),
                    (m, a, x) -> m.putIf(a.group(), a.key(), a.value(), ModelEntry.NEVER, is(a.other()))),
            of(
                    "replace(ttl)",
                    6,
                    (p, a) -> group(p, a)
                            .replace(a.key(), a.other(), a.value(), a.ttl())
                            .isPresent(),
                    (m, a, x) -> m.putIf(a.group(), a.key(), a.value(), after(m, a.ttl()), is(a.other()))),
            of(
                    "putIfPresent(keep)",
                    4,
                    (p, a) -> group(p, a)
                            .putIfPresent(a.key(), a.value(), Expiry.keep())
                            .isPresent(),
                    (m, a, x) -> m.update(a.group(), a.key(), a.value()).isPresent()),
            of(
                    "getAndPut(keep)",
                    4,
                    (p, a) -> group(p, a).getAndPut(a.key(), a.value(), Expiry.keep()),
                    (m, a, x) -> getAndPut(m, a, m.expiresAt(a.group(), a.key()))),
            of(
                    "getAndPut(creation)",
                    4,
                    (p, a) -> group(p, a).getAndPut(a.key(), a.value(), Expiry.afterCreation(a.ttl())),
                    (m, a, x) -> getAndPut(m, a, afterCreation(m, a))),
            of(
                    "getAndPutIfAbsent(expiresAt)",
                    4,
                    (p, a) -> group(p, a).getAndPutIfAbsent(a.key(), a.value(), Expiry.at(a.expiresAt())),
                    (m, a, x) -> {
                        Optional<String> standing = m.value(a.group(), a.key());
                        m.putIf(a.group(), a.key(), a.value(), at(m, a.expiresAt()), Optional::isEmpty);
                        return standing;
                    }),
            of(
                    "getAndExpire(later)",
                    4,
                    (p, a) -> group(p, a)
                            .getAndExpire(a.key(), Expiry.after(a.ttl()).ifLater()),
                    (m, a, x) -> {
                        long later = Math.max(after(m, a.ttl()), m.expiresAt(a.group(), a.key()));
                        Optional<String> standing = m.value(a.group(), a.key());
                        m.reschedule(a.group(), a.key(), later);
                        return standing;
                    }),
            of(
                    "updateOrDelete",
                    4,
                    (p, a) -> group(p, a)
                            .updateOrDelete(
                                    a.key(), old -> old.equals(a.other()) ? Optional.empty() : Optional.of(a.value())),
                    (m, a, x) -> {
                        if (m.value(a.group(), a.key()).equals(Optional.of(a.other()))) {
                            m.remove(a.group(), a.key());
                            return Optional.empty();
                        }
                        return m.update(a.group(), a.key(), a.value());
                    }),
            of("expireNow", 3, (p, a) -> group(p, a).expireNow(a.key()), (m, a, x) -> {
                boolean standing = m.reschedule(a.group(), a.key(), m.now());
                m.reach(Instant.ofEpochMilli(m.now()));
                return standing;
            }),
            of(
                    "deleteAll",
                    3,
                    (p, a) -> group(p, a).deleteAll(List.of(a.key(), "missing", a.key())),
                    (m, a, x) -> m.remove(a.group(), a.key()).isPresent() ? 1L : 0L),
            of("clear(range)", 1, (p, a) -> group(p, a).clear(KeyRange.from(a.key())), (m, a, x) -> {
                List<String> keys =
                        List.copyOf(m.entries(a.group()).tailMap(a.key(), true).keySet());
                keys.forEach(key -> m.remove(a.group(), key));
                return (long) keys.size();
            }),
            of("count(range)", 3, (p, a) -> group(p, a).count(KeyRange.to(a.key())), (m, a, x) ->
                    (long) m.entries(a.group()).headMap(a.key(), false).size()),
            of(
                    "update",
                    6,
                    (p, a) -> group(p, a).update(a.key(), old -> a.value()),
                    (m, a, x) -> m.update(a.group(), a.key(), a.value())),
            of(
                    "putAll(ttl)",
                    3,
                    (p, a) -> done(() -> group(p, a).putAll(Map.of(a.key(), a.value()), a.ttl())),
                    (m, a, x) -> done(() -> m.put(a.group(), a.key(), a.value(), after(m, a.ttl())))),
            of(
                    "delete(expected)",
                    4,
                    (p, a) -> group(p, a).delete(a.key(), a.other()),
                    (m, a, x) -> m.value(a.group(), a.key()).equals(Optional.of(a.other()))
                            && m.remove(a.group(), a.key()).isPresent()),
            of(
                    "entries(range)",
                    4,
                    (p, a) -> group(p, a)
                            .entries(KeyRange.from(a.key()).reversed().limit(3))
                            .map(Entry::key)
                            .toList(),
                    (m, a, x) -> m.entries(a.group()).tailMap(a.key(), true).descendingMap().keySet().stream()
                            .limit(3)
                            .toList()),
            of(
                    "expireAllNow",
                    1,
                    (p, a) -> group(p, a).expireAllNow(),
                    (m, a, x) -> m.rescheduleAll(a.group(), m.now())),
            of(
                    "expireAll(ttl)",
                    1,
                    (p, a) -> group(p, a).expireAll(a.ttl()),
                    (m, a, x) -> m.rescheduleAll(a.group(), after(m, a.ttl()))),
            of("clear", 1, (p, a) -> group(p, a).clear(), (m, a, x) -> m.clear(a.group())),
            of(
                    "expire(ttl)",
                    8,
                    (p, a) -> group(p, a).expire(a.key(), a.ttl()),
                    (m, a, x) -> m.reschedule(a.group(), a.key(), after(m, a.ttl()))),
            of(
                    "expire(expiresAt)",
                    4,
                    (p, a) -> group(p, a).expire(a.key(), a.expiresAt()),
                    (m, a, x) -> m.reschedule(a.group(), a.key(), at(m, a.expiresAt()))),
            of(
                    "persist",
                    4,
                    (p, a) -> group(p, a).persist(a.key()),
                    (m, a, x) -> m.reschedule(a.group(), a.key(), ModelEntry.NEVER)));

    private static final List<ModelOperation> ON_STORES = List.of(
            of(
                    "transact",
                    4,
                    (p, a) -> p.store().transact(tx -> {
                        Optional<String> taken = tx.group(a.group()).take(a.key());
                        tx.group("group").put(a.key(), a.value());
                        return taken;
                    }),
                    (m, a, x) -> {
                        Optional<String> taken = m.remove(a.group(), a.key());
                        m.put("group", a.key(), a.value(), ModelEntry.NEVER);
                        return taken;
                    }),
            of("transact and fail", 3, (p, a) -> done(() -> fail(p, a)), (m, a, x) -> "done"),
            of("count(prefix)", 2, (p, a) -> p.store().count("a"), (m, a, x) ->
                    (long) m.entries("a:b").size()),
            of("deletePrefix", 1, (p, a) -> p.store().deletePrefix("a:"), (m, a, x) -> m.clear("a:b")),
            of("purgeExpired", 2, (p, a) -> p.store().purgeExpired(), (m, a, x) -> m.purge()),
            of("clock on", 20, (p, a) -> count(p, a.move()), (m, a, x) -> m.count()),
            of("clock back", 3, (p, a) -> count(p, a.move().negated()), (m, a, x) -> m.count()),
            of("reopen", 1, (p, a) -> done(p::reopen), (m, a, x) -> "done"));

    /** All of them; those on groups directly, and within a transaction. */
    public static final List<ModelOperation> ALL = Stream.of(
                    ON_GROUPS, ON_GROUPS.stream().map(Operations::inTransaction).toList(), ON_STORES)
            .flatMap(List::stream)
            .toList();

    private Operations() {}

    private static ModelOperation of(String name, int weight, ModelOperation.Real real, ModelOperation.Modelled model) {
        return new ModelOperation(name, weight, real, model);
    }

    private static TextGroup group(Place place, Arguments arguments) {
        return place.group(arguments.group());
    }

    /** The same operation as the only one of a transaction, and as rarely as keeps the direct ones in the majority. */
    private static ModelOperation inTransaction(ModelOperation operation) {
        return new ModelOperation(
                "transact: " + operation.name(),
                (operation.weight() + 3) / 4,
                (p, a) -> p.store().transact(tx -> operation.real().run(p.within(tx), a)),
                operation.model());
    }

    /** A transaction that has written when it fails. */
    private static void fail(Place place, Arguments arguments) {
        RuntimeException failure = new IllegalStateException("on purpose");
        try {
            place.store().transact(tx -> {
                tx.group(arguments.group()).clear();
                tx.group("group").put("never", arguments.value());
                throw failure;
            });
        } catch (IllegalStateException e) {
            if (!e.equals(failure)) {
                throw e;
            }
        }
    }

    private static Predicate<Optional<String>> is(String expected) {
        return Optional.of(expected)::equals;
    }

    private static Object done(Runnable work) {
        work.run();
        return "done";
    }

    /** Moves the clock, and has the store see it: what it has not seen before a step back is no time to it. */
    private static Object count(Place place, Duration move) {
        place.moveClock(move);
        return place.store().count();
    }

    /** The key is the store's choice; all that is asked of it is to be new. */
    private static Object add(Model model, Arguments arguments, Object answered, long expiresAt) {
        boolean isNew = model.add(arguments.group(), (String) answered, arguments.value(), expiresAt);
        return isNew ? answered : "a key that was not there";
    }

    private static Optional<String> getAndPut(Model model, Arguments arguments, long expiresAt) {
        Optional<String> standing = model.value(arguments.group(), arguments.key());
        model.put(arguments.group(), arguments.key(), arguments.value(), expiresAt);
        return standing;
    }

    private static long afterCreation(Model model, Arguments arguments) {
        long fromNow = after(model, arguments.ttl());
        long age = model.now() - model.createdAt(arguments.group(), arguments.key());
        return Math.max(model.now(), fromNow - age);
    }

    private static long after(Model model, Duration ttl) {
        try {
            if (ttl.isZero() || ttl.isNegative()) {
                throw new IllegalArgumentException("Not a ttl");
            }
            return Math.addExact(model.now(), ttl.plusNanos(999_999).toMillis());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("Too long", e);
        }
    }

    private static long at(Model model, Instant expiresAt) {
        return Math.max(model.now(), expiresAt.plusNanos(999_999).toEpochMilli());
    }
}
