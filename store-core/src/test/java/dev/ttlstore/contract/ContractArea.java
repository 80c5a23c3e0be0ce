package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.ttlstore.Expiry;
import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.event.StoreEvent;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

/** Part of the contract: tests with a store on a clock that they move, and nothing in the background. */
@ExtendWith(EngineContract.Areas.class)
abstract class ContractArea {

    final MovableClock clock = new MovableClock();

    private @Nullable EngineContract contract;

    private @Nullable Store store;

    final void belongTo(EngineContract enclosing) {
        contract = enclosing;
    }

    /** The contract that this area is part of. */
    final EngineContract contract() {
        return requireNonNull(contract);
    }

    /** See {@link EngineContract#builder()}. */
    final StoreBuilder builder() {
        return contract().areaBuilder();
    }

    /** The kit's settings on top of the engine's. */
    final StoreBuilder settings() {
        return builder().clock(clock).purgeInterval(Duration.ZERO).expiryOnTime(false);
    }

    @BeforeEach
    final void open() {
        store = settings().open();
    }

    /** The store of this test, closed at its end. */
    final Store store() {
        return requireNonNull(store);
    }

    /** Opens the store of this test with settings of its own. */
    final Store open(StoreBuilder settings) {
        close();
        store = settings.open();
        return store;
    }

    /** Closes the store and opens it again at the same place. */
    final Store reopen() {
        return open(settings());
    }

    final TextGroup group() {
        return store().group("group");
    }

    /** Puts "value" under the keys "key0", "key1", … of the group, all in one commit. */
    final void fill(int entries) {
        fill(entries, Expiry.groupDefault());
    }

    /** Puts "value" under the keys "key0", "key1", … of the group, all in one commit. */
    final void fill(int entries, Expiry expiry) {
        fill(group(), entries, i -> "key" + i, expiry);
    }

    /** Puts "value" under as many keys, all in one commit. */
    static void fill(TextGroup group, int entries, IntFunction<String> key) {
        fill(group, entries, key, Expiry.groupDefault());
    }

    /** Puts "value" under as many keys, all in one commit. */
    static void fill(TextGroup group, int entries, IntFunction<String> key, Expiry expiry) {
        group.putAll(IntStream.range(0, entries).boxed().collect(Collectors.toMap(key::apply, i -> "value")), expiry);
    }

    /** Puts "value" under "key" of each group, all in one commit. */
    final void fillGroups(List<String> names) {
        fillGroups(names, Expiry.groupDefault());
    }

    /** Puts "value" under "key" of each group, all in one commit. */
    final void fillGroups(List<String> names, Expiry expiry) {
        store().transact(tx -> {
            names.forEach(name -> tx.group(name).put("key", "value", expiry));
            return true;
        });
    }

    final Recorder record() {
        Recorder recorder = new Recorder();
        store().onChange(recorder);
        return recorder;
    }

    /**
     * Checks that the numbers of events rise, and that none comes twice. They rise across the whole store if one process owns
     * the data, otherwise per scope, and per group outside scopes.
     */
    final void assertSequenceRises(List<StoreEvent> events) {
        assertThat(events).extracting(StoreEvent::sequence).doesNotHaveDuplicates();
        boolean exclusive = contract().isExclusive();
        events.stream()
                .collect(Collectors.groupingBy(event -> exclusive ? "" : order(event.group())))
                .values()
                .forEach(inOrder ->
                        assertThat(inOrder).extracting(StoreEvent::sequence).isSorted());
    }

    private static String order(String group) {
        String namespace = Namespaces.of(group);
        return namespace == null ? group : Namespaces.prefix(namespace);
    }

    final void advanceMillis(long millis) {
        clock.advance(Duration.ofMillis(millis));
    }

    @AfterEach
    final void close() {
        if (store != null) {
            store.close();
        }
    }

    /** Null where none is allowed, to see it refused. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    static <T> T nothing() {
        return null;
    }

    /** Has a transaction hold up all commits until the latch is open. */
    final Future<Boolean> holdUpCommits(CountDownLatch release) {
        CountDownLatch inside = new CountDownLatch(1);
        Future<Boolean> transaction = Threads.start(thread -> store().transact(tx -> {
            inside.countDown();
            Threads.await(release);
            return true;
        }));
        Threads.await(inside);
        return transaction;
    }
}
