package dev.ttlstore.spring.observation;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ttlstore.AsyncGroup;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.TransactionConflictException;

import static dev.ttlstore.spring.observation.CallOutcome.CONFLICT;
import static dev.ttlstore.spring.observation.CallOutcome.DONE;
import static dev.ttlstore.spring.observation.CallOutcome.ERROR;
import static dev.ttlstore.spring.observation.CallOutcome.HIT;
import static dev.ttlstore.spring.observation.CallOutcome.MISS;
import static dev.ttlstore.spring.observation.CallOutcome.REFUSED;
import static dev.ttlstore.spring.observation.CallOutcome.UNCHANGED;

/** A call of each operation with each outcome that it has. The group has one entry, {@code marker-key}, with a ttl. */
final class Calls {

    static final String KEY = "marker-key";
    static final String VALUE = "marker-value";
    static final Duration TTL = Duration.ofHours(1);

    private static final String ABSENT = "marker-absent";

    private Calls() {}

    /** A call, and what its observation has. Templates fail here, because their library is not on the class path. */
    record Call(String operation, String group, CallOutcome outcome, Work work) {

        @Override
        public String toString() {
            return operation + " of " + group + ": " + outcome.value();
        }
    }

    interface Work {
        void run(Store store) throws Exception;
    }

    private interface OfGroup {
        void run(TextGroup group);
    }

    private interface OfAsync {
        CompletableFuture<?> run(AsyncGroup<String> group);
    }

    private static Call sync(String operation, CallOutcome outcome, OfGroup work) {
        return new Call(operation, "listed", outcome, store -> work.run(store.group("listed")));
    }

    private static Call async(String operation, CallOutcome outcome, OfAsync work) {
        return new Call(operation, "listed", outcome, store -> work.run(
                        store.group("listed").async())
                .get());
    }

    private static Call whole(String operation, CallOutcome outcome, Work work) {
        return new Call(operation, "none", outcome, work);
    }

    static Stream<Call> all() {
        return Stream.of(
                        reads(),
                        writes(),
                        conditionalWrites(),
                        bulkWrites(),
                        counters(),
                        async(),
                        ofStore(),
                        failures())
                .flatMap(calls -> calls);
    }

    private static Stream<Call> reads() {
        return Stream.of(
                sync("get", HIT, group -> group.get(KEY)),
                sync("get", MISS, group -> group.get(ABSENT)),
                sync("entry", HIT, group -> group.entry(KEY)),
                sync("contains", HIT, group -> group.contains(KEY)),
                sync("contains", MISS, group -> group.contains(ABSENT)),
                sync("getAll", HIT, Group::getAll),
                sync("getAll", MISS, group -> group.getAll(List.of(ABSENT))),
                sync("entries", HIT, group -> group.entries(List.of(KEY))),
                sync("page", HIT, group -> group.page(null, 10)),
                sync("page", MISS, group -> group.page(KEY, 10)),
                sync("count", HIT, Group::count),
                sync("count", MISS, group -> group.count(Instant.now().plus(TTL.multipliedBy(2)))),
                sync("split", HIT, group -> group.split(KEY, "-")),
                sync("fields", HIT, group -> group.fields(KEY)),
                sync("render", ERROR, group -> group.render(VALUE)),
                sync("renderStrict", ERROR, group -> group.renderStrict(VALUE)));
    }

    private static Stream<Call> writes() {
        return Stream.of(
                sync("put", DONE, group -> group.put(KEY, VALUE)),
                sync("put", DONE, group -> group.put(KEY, VALUE, TTL)),
                sync("getAndPut", DONE, group -> group.getAndPut(ABSENT, VALUE)),
                sync("add", DONE, group -> group.add(VALUE)),
                sync("getOrPut", DONE, group -> group.getOrPut(ABSENT, () -> VALUE)),
                sync("update", DONE, group -> group.update(KEY, value -> value)),
                sync("update", UNCHANGED, group -> group.update(ABSENT, value -> value)),
                sync("updateOrDelete", DONE, group -> group.updateOrDelete(KEY, value -> Optional.empty())),
                sync("delete", DONE, group -> group.delete(KEY)),
                sync("delete", UNCHANGED, group -> group.delete(ABSENT)),
                sync("take", HIT, group -> group.take(KEY)),
                sync("take", MISS, group -> group.take(ABSENT)),
                sync("takeEntry", HIT, group -> group.takeEntry(KEY)),
                sync("getAndExpire", HIT, group -> group.getAndExpire(KEY, TTL)),
                sync("expire", DONE, group -> group.expire(KEY, TTL)),
                sync("expireNow", DONE, group -> group.expireNow(KEY)),
                sync("persist", UNCHANGED, group -> group.persist(ABSENT)));
    }

    private static Stream<Call> conditionalWrites() {
        return Stream.of(
                sync("putIfAbsent", DONE, group -> group.putIfAbsent(ABSENT, VALUE)),
                sync("putIfAbsent", UNCHANGED, group -> group.putIfAbsent(KEY, VALUE)),
                sync("getAndPutIfAbsent", DONE, group -> group.getAndPutIfAbsent(ABSENT, VALUE)),
                sync("getAndPutIfAbsent", UNCHANGED, group -> group.getAndPutIfAbsent(KEY, VALUE)),
                sync("putIfPresent", DONE, group -> group.putIfPresent(KEY, VALUE)),
                sync("replace", UNCHANGED, group -> group.replace(KEY, "marker-other", VALUE)),
                sync("replaceVersion", UNCHANGED, group -> group.replaceVersion(KEY, 1_000_000, VALUE)),
                sync("delete", DONE, group -> group.delete(KEY, VALUE)),
                sync("deleteVersion", UNCHANGED, group -> group.deleteVersion(KEY, 1_000_000)));
    }

    private static Stream<Call> bulkWrites() {
        return Stream.of(
                sync("putAll", DONE, group -> group.putAll(Map.of(KEY, VALUE))),
                sync("deleteAll", DONE, group -> group.deleteAll(List.of(KEY, ABSENT))),
                sync("deleteAll", UNCHANGED, group -> group.deleteAll(List.of(ABSENT))),
                sync("clear", DONE, Group::clear),
                sync("clear", UNCHANGED, group -> group.clear(KeyRange.prefix("marker-none"))),
                sync("sweep", UNCHANGED, group -> group.sweep(TTL)),
                sync("expireAllNow", DONE, Group::expireAllNow),
                sync("expireAll", DONE, group -> group.expireAll(TTL)));
    }

    private static Stream<Call> counters() {
        return Stream.of(
                new Call("increment", "other", DONE, store -> store.counters("marker")
                        .increment(KEY)),
                new Call("increment", "other", DONE, store -> store.counters("marker")
                        .async()
                        .increment(KEY)
                        .get()));
    }

    private static Stream<Call> async() {
        return Stream.of(
                async("put", DONE, group -> group.put(KEY, VALUE)),
                async("putAll", DONE, group -> group.putAll(Map.of(KEY, VALUE))),
                async("putIfAbsent", UNCHANGED, group -> group.putIfAbsent(KEY, VALUE)),
                async("take", HIT, group -> group.take(KEY)),
                async("delete", UNCHANGED, group -> group.delete(ABSENT)),
                async("clear", DONE, AsyncGroup::clear));
    }

    private static Stream<Call> ofStore() {
        return Stream.of(
                whole("count", HIT, Store::count),
                whole("count", MISS, store -> store.count("marker")),
                new Call("deleteGroup", "listed", DONE, store -> store.deleteGroup("listed")),
                new Call("deleteGroup", "other", UNCHANGED, store -> store.deleteGroup("marker")),
                whole("deletePrefix", DONE, store -> store.deletePrefix("list")),
                whole("expirePrefix", DONE, store -> store.expirePrefix("list", Expiry.now())),
                whole("sweep", UNCHANGED, store -> store.sweep(TTL)),
                whole("purgeExpired", UNCHANGED, Store::purgeExpired),
                whole("verify", DONE, Store::verify),
                whole("transact", DONE, store -> store.transact(tx -> KEY)),
                whole("transact", DONE, store -> store.transactWithoutResult(tx -> {})),
                whole("transact", DONE, store -> store.transactChecked(tx -> KEY)),
                whole("transact", DONE, store -> store.transactCheckedWithoutResult(tx -> {})),
                whole("write", DONE, store -> store.batch()
                        .put(store.group("marker"), KEY, VALUE, Expiry.never())
                        .write()),
                whole("write", UNCHANGED, store -> store.batch()
                        .requireAbsent(store.group("listed"), KEY)
                        .delete(store.group("listed"), KEY)
                        .writeAsync()
                        .get()),
                whole("erase", DONE, store -> store.scope("acme").erase()),
                new Call("put", "acme:listed", DONE, store -> store.scope("acme")
                        .group("listed")
                        .put(KEY, VALUE)),
                new Call("get", "other", MISS, store -> store.scope("marker")
                        .group("listed")
                        .get(KEY)),
                new Call("get", "other", MISS, store -> store.scope("marker")
                        .outsideTransaction()
                        .group("listed")
                        .get(KEY)),
                new Call("get", "other", HIT, store -> {
                    store.group("marker").put(KEY, VALUE);
                    store.group("marker").get(KEY);
                }));
    }

    private static Stream<Call> failures() {
        return Stream.of(
                sync("get", ERROR, group -> group.get("")),
                sync("put", REFUSED, group -> group.put(KEY, VALUE.repeat(1_000))),
                async("put", REFUSED, group -> group.put(KEY, VALUE.repeat(1_000))),
                sync("update", ERROR, group -> group.update(KEY, Calls::fail)),
                async("update", ERROR, group -> group.update(KEY, Calls::fail)),
                new Call("put", "other", REFUSED, store -> store.scope("full")
                        .group("listed")
                        .put("marker-second", VALUE)),
                whole(
                        "transact",
                        CONFLICT,
                        store -> store.transact(tx -> {
                            throw new TransactionConflictException("another writer", new IllegalStateException(VALUE));
                        })),
                whole("backup", ERROR, store -> store.backup(Path.of(VALUE))));
    }

    private static String fail(String value) {
        throw new IllegalStateException("marker: " + value, new IllegalArgumentException(value));
    }
}
