package dev.ttlstore.contract.linear;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import static dev.ttlstore.contract.linear.OneKey.KEY;

/**
 * The operations that are atomic on one key. A new one is one entry in the list.
 *
 * <p>No entry expires here: a store judges expiry by a time taken once for a commit, so moving the clock is no operation that
 * has its one moment among those of other threads.
 */
public final class KeyOperations {

    /** All of them. */
    public static final List<KeyOperation> ALL = List.of(
            of("put", (at, v) -> done(() -> at.group().put(KEY, v.value())), (old, v) -> answer("done", v.value())),
            of(
                    "put with ttl",
                    (at, v) -> done(() -> at.group().put(KEY, v.value(), Duration.ofHours(1))),
                    (old, v) -> answer("done", v.value())),
            of("get", (at, v) -> at.group().get(KEY), (old, v) -> new CallOutcome<>(old, old)),
            of(
                    "entry",
                    (at, v) -> at.group().entry(KEY).map(entry -> entry.value()),
                    (old, v) -> new CallOutcome<>(old, old)),
            of("contains", (at, v) -> at.group().contains(KEY), (old, v) -> new CallOutcome<>(old.isPresent(), old)),
            of("count", (at, v) -> at.group().count(), (old, v) -> new CallOutcome<>(old.isPresent() ? 1L : 0L, old)),
            of(
                    "getAll",
                    (at, v) -> List.copyOf(at.group().getAll().values()),
                    (old, v) -> new CallOutcome<>(old.stream().toList(), old)),
            of(
                    "groups",
                    (at, v) -> at.store().groups().anyMatch(at.name()::equals),
                    (old, v) -> new CallOutcome<>(old.isPresent(), old)),
            of("putIfAbsent", (at, v) -> at.group().putIfAbsent(KEY, v.value()).isPresent(), putIfAbsent()),
            of(
                    "replace",
                    (at, v) -> at.group().replace(KEY, v.expected(), v.value()).isPresent(),
                    (old, v) -> new CallOutcome<>(holds(old, v), holds(old, v) ? Optional.of(v.value()) : old)),
            of(
                    "delete expected",
                    (at, v) -> at.group().delete(KEY, v.expected()),
                    (old, v) -> new CallOutcome<>(holds(old, v), holds(old, v) ? Optional.empty() : old)),
            of(
                    "update",
                    (at, v) -> at.group().update(KEY, KeyOperations::flip),
                    (old, v) -> new CallOutcome<>(old.map(KeyOperations::flip), old.map(KeyOperations::flip))),
            of(
                    "increment",
                    (at, v) -> at.store().counters(at.name()).increment(KEY, delta(v)),
                    (old, v) -> answer(number(old) + delta(v), Long.toString(number(old) + delta(v)))),
            of(
                    "async put",
                    (at, v) -> done(() -> at.group().async().put(KEY, v.value()).join()),
                    (old, v) -> answer("done", v.value())),
            of(
                    "transact",
                    (at, v) -> at.store().transact(tx -> {
                        Optional<String> taken = at.group(tx).take(KEY);
                        taken.ifPresent(value -> at.group(tx).put(KEY, v.value()));
                        return taken;
                    }),
                    (old, v) -> new CallOutcome<>(old, old.map(value -> v.value()))),
            of("take", (at, v) -> at.group().take(KEY), (old, v) -> new CallOutcome<>(old, Optional.empty())),
            of("delete", (at, v) -> at.group().delete(KEY), (old, v) -> gone(old.isPresent())),
            of(
                    "getAndPut",
                    (at, v) -> at.group().getAndPut(KEY, v.value()),
                    (old, v) -> new CallOutcome<>(old, Optional.of(v.value()))),
            of(
                    "getAndPutIfAbsent",
                    (at, v) -> at.group().getAndPutIfAbsent(KEY, v.value()),
                    (old, v) -> new CallOutcome<>(old, old.or(() -> Optional.of(v.value())))),
            of(
                    "async getAndPut",
                    (at, v) -> at.group().async().getAndPut(KEY, v.value()).join(),
                    (old, v) -> new CallOutcome<>(old, Optional.of(v.value()))),
            of(
                    "putIfPresent",
                    (at, v) -> at.group().putIfPresent(KEY, v.value()).isPresent(),
                    (old, v) -> new CallOutcome<>(old.isPresent(), old.map(value -> v.value()))),
            of(
                    "getAndExpire",
                    (at, v) -> at.group().getAndExpire(KEY, Duration.ofHours(2)),
                    (old, v) -> new CallOutcome<>(old, old)),
            of(
                    "updateOrDelete",
                    (at, v) -> at.group().updateOrDelete(KEY, value -> Optional.of(flip(value))),
                    (old, v) -> new CallOutcome<>(old.map(KeyOperations::flip), old.map(KeyOperations::flip))),
            of("deleteAll", (at, v) -> at.group().deleteAll(List.of(KEY)), (old, v) -> gone(old.isPresent() ? 1L : 0L)),
            of("clear", (at, v) -> at.group().clear(), (old, v) -> gone(old.isPresent() ? 1L : 0L)),
            of(
                    "expire",
                    (at, v) -> at.group().expire(KEY, Duration.ofHours(2)),
                    (old, v) -> new CallOutcome<>(old.isPresent(), old)),
            of("persist", (at, v) -> at.group().persist(KEY), (old, v) -> new CallOutcome<>(old.isPresent(), old)),
            of("purge", (at, v) -> at.store().purgeExpired(), (old, v) -> new CallOutcome<>(0L, old)));

    private KeyOperations() {}

    /** The operation of a name. */
    public static KeyOperation named(String name) {
        return ALL.stream()
                .filter(operation -> operation.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** What putIfAbsent does. */
    public static KeyOperation.Model putIfAbsent() {
        return (old, v) -> new CallOutcome<>(old.isEmpty(), old.or(() -> Optional.of(v.value())));
    }

    private static boolean holds(Optional<String> old, Values values) {
        return old.equals(Optional.of(values.expected()));
    }

    // The checker relies on it that no value comes about in two ways: nothing makes what another call is still to put.

    /** Far from all values that are put. */
    private static long delta(Values values) {
        return 1_000_000 * (1 + Long.parseLong(values.value()));
    }

    /** Below all values that are put. */
    private static String flip(String number) {
        return Long.toString(~Long.parseLong(number));
    }

    private static long number(Optional<String> old) {
        return old.map(Long::valueOf).orElse(0L);
    }

    private static KeyOperation of(String name, KeyOperation.Real real, KeyOperation.Model model) {
        return new KeyOperation(name, real, model);
    }

    private static Object done(Runnable work) {
        work.run();
        return "done";
    }

    private static CallOutcome<Optional<String>> answer(Object answer, String next) {
        return new CallOutcome<>(answer, Optional.of(next));
    }

    private static CallOutcome<Optional<String>> gone(Object answer) {
        return new CallOutcome<>(answer, Optional.empty());
    }
}
