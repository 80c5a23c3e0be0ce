package dev.ttlstore.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.KeyRange;
import dev.ttlstore.Quota;
import dev.ttlstore.Scope;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Transaction;
import dev.ttlstore.TypeRef;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreListener;
import dev.ttlstore.event.StoreObserver;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.expiry.ExpiryHandler;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/** A store that was closed. */
@Promise(22)
abstract class ClosedStoreContract extends ContractArea {

    /** What needs no store to answer, and closing itself. */
    private static final Set<String> WORK_WHEN_CLOSED =
            Set.of("Store.close", "Store.closeWatches", "GroupReads.name", "GroupReads.valueOf", "Scope.namespace");

    @Test
    void everyMethodOfAClosedStoreSaysSo() {
        Store store = store();
        store.close();
        assertEveryMethodSaysSo(Store.class, store);
    }

    @Test
    void everyMethodOfAGroupOfAClosedStoreSaysSo() {
        TextGroup texts = group();
        Group<Long> numbers = store().group("numbers", Long.class);
        texts.put("key", "value");
        Counters counters = store().counters("numbers");
        store().close();
        assertEveryMethodSaysSo(TextGroup.class, texts);
        assertEveryMethodSaysSo(Group.class, numbers);
        assertEveryMethodSaysSo(Counters.class, counters);
    }

    @Test
    void everyMethodOfAScopeOfAClosedStoreSaysSo() {
        Scope scope = store().scope("tenant");
        store().close();
        assertEveryMethodSaysSo(Scope.class, scope);
    }

    @Test
    void aStreamOfGroupsSaysSoWhenItIsReadAfterTheClosing() {
        group().put("key", "value");
        Stream<String> groups = store().groups();
        store().close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(groups::toList);
    }

    @Test
    void closingAgainDoesNothing() {
        Store store = store();
        group().put("key", "value");
        store.close();
        assertThatCode(store::close).doesNotThrowAnyException();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(store::count);
    }

    @Test
    void aSubscriptionMayBeEndedAfterTheClosing() {
        Subscription subscription = store().onChange(event -> {});
        store().close();
        assertThatCode(subscription::close).doesNotThrowAnyException();
    }

    @Test
    void aClosedStoreWithAPurgeThreadHasNoneLeft() {
        open(settings().purgeInterval(Duration.ofMillis(1)));
        group().put("key", "value", Duration.ofMillis(1));
        store().close();
        // Its executor has ended by now; the thread itself may need a moment more.
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("ttl-store-purge"))
                .isEmpty());
    }

    private static void assertEveryMethodSaysSo(Class<?> type, Object target) {
        List<String> silent = new ArrayList<>();
        for (Method method : type.getMethods()) {
            String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
            if (Modifier.isStatic(method.getModifiers()) || WORK_WHEN_CLOSED.contains(name)) {
                continue;
            }
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(parameter -> argument(parameter, target))
                    .toArray();
            Throwable thrown = catchThrowable(() -> method.invoke(target, arguments));
            if (!(thrown instanceof InvocationTargetException)
                    || !(thrown.getCause() instanceof StoreClosedException)) {
                silent.add(method + " -> " + (thrown == null ? "no exception" : thrown.getCause()));
            }
        }
        assertThat(silent).isEmpty();
    }

    private static Object argument(Class<?> type, Object target) {
        Map<Class<?>, Object> arguments = Map.ofEntries(
                Map.entry(int.class, 1),
                Map.entry(long.class, 1L),
                Map.entry(String.class, "key"),
                Map.entry(Object.class, target instanceof TextGroup ? "value" : 42L),
                Map.entry(Class.class, String.class),
                Map.entry(Codec.class, Codec.text()),
                Map.entry(Duration.class, Duration.ofHours(1)),
                Map.entry(Expiry.class, Expiry.never()),
                Map.entry(Instant.class, MovableClock.START.plusSeconds(3_600)),
                Map.entry(Collection.class, List.of("key")),
                Map.entry(Map.class, Map.of("key", target instanceof TextGroup ? "value" : 42L)),
                Map.entry(KeyRange.class, KeyRange.all()),
                Map.entry(Path.class, Path.of("target", "none.backup")),
                Map.entry(Consumer.class, (Consumer<Object>) progress -> {}),
                Map.entry(ExpiryHandler.class, (ExpiryHandler<Object>) entry -> {}),
                Map.entry(Quota.class, new Quota(1, 1, 1)),
                Map.entry(WatchOptions.class, WatchOptions.defaults()),
                Map.entry(UnaryOperator.class, UnaryOperator.identity()),
                Map.entry(Function.class, Function.identity()),
                Map.entry(GroupPattern.class, new GroupPattern("*:group")),
                Map.entry(TypeRef.class, new TypeRef<String>() {}),
                Map.entry(Transaction.Work.class, (Transaction.Work<Object, RuntimeException>) tx -> "done"),
                Map.entry(Transaction.Action.class, (Transaction.Action<RuntimeException>) tx -> {}),
                Map.entry(EntryPut.class, new EntryPut(1, MovableClock.START, "group", "key", 1, true, null)),
                Map.entry(Supplier.class, (Supplier<Object>) () -> "value"),
                Map.entry(StoreListener.class, (StoreListener) event -> {}),
                Map.entry(StoreObserver.class, new StoreObserver() {}));
        Object argument = arguments.get(type);
        if (argument == null) {
            throw new AssertionError("Give this test an argument for parameters of " + type);
        }
        return argument;
    }
}
