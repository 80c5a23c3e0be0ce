package dev.ttlstore.sqlite;

import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.LogRecorder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.exception.StoreClosedException;
import dev.ttlstore.exception.StoreLockedException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Stores that nobody closes, some of which nobody can reach any more. */
@Promise({20, 22})
class UnclosedStoreTests {

    /** For so many collections a store must stay open that somebody holds. */
    private static final int COLLECTIONS = Effort.of(3, 10);

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    private final LogRecorder log = new LogRecorder("dev.ttlstore.internal.store.Shutdown", Level.INFO);

    @BeforeEach
    void placeFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    @Promise({11, 20, 22})
    void aStoreThatIsLetGoIsReportedOnceAndItsFileCanBeOpenedAgain() {
        List<? extends CompletableFuture<?>> writes = writeAndLetGo();
        awaitReport();
        try (Store again = settings().lockTimeout(Duration.ofSeconds(30)).open()) {
            assertThat(again.group("group").count()).isEqualTo(101);
            assertThat(again.group("group").get("key")).contains("a secret");
            writes.forEach(Threads::get); // which other threads complete, so perhaps later than the file is free
            collectSomeTimes();
        }
        assertThat(reports()).singleElement().satisfies(warning -> {
            assertThat(warning.getLevel()).isEqualTo(Level.WARN);
            assertThat(warning.getFormattedMessage())
                    .contains(file.toString(), "close it", "try (Store", "destroy method")
                    .doesNotContain("secret", "group");
            assertThat(isOpenedIn("writeAndLetGo", warning)).isTrue();
        });
    }

    @Test
    @Tag("slow")
    void aStoreInMemoryThatIsLetGoIsReportedToo() {
        openInMemory();
        await().untilAsserted(() -> {
            System.gc();
            assertThat(reports("The store in memory"))
                    .filteredOn(report -> isOpenedIn("openInMemory", report))
                    .hasSize(1);
        });
    }

    private static void openInMemory() {
        Store.inMemory().group("group").put("key", "value");
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("holders")
    void whateverIsLeftOfAStoreHoldsItOpen(Function<Store, Object> part) {
        Object held = part.apply(settings().open());
        try {
            collectSomeTimes();
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> settings().lockTimeout(Duration.ZERO).open());
            assertThat(reports()).isEmpty();
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    static List<Function<Store, Object>> holders() {
        return List.of(
                store -> store,
                store -> store.group("group"),
                store -> store.group("group", Long.class),
                store -> store.counters("group"),
                store -> store.group("group").async(),
                store -> store.scope("tenant"),
                store -> store.scope("tenant").group("group"),
                store -> store.groups(),
                store -> store.group("group").entries().iterator());
    }

    @Test
    @Tag("slow")
    void aGroupAloneCanBeUsedAndReportsTheStoreWhenItGoesToo() {
        useGroupFor(settings().open().group("group"));
        awaitReport();
        try (Store again = settings().lockTimeout(Duration.ofSeconds(30)).open()) {
            assertThat(again.group("group").count()).isEqualTo(COLLECTIONS);
        }
    }

    private static void useGroupFor(TextGroup group) {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            group.put("key" + i, "value");
        }
    }

    @Test
    @Tag("slow")
    @Promise({15, 22})
    void anOpenWatchHoldsItsStoreUntilItIsClosed() {
        readAndClose(watchAlone());
        awaitReport();
    }

    private void readAndClose(Watch watch) {
        collectSomeTimes();
        assertThat(reports()).isEmpty();
        assertThat(watch.isClosed()).isFalse();
        assertThat(watch.poll()).isPresent();
        watch.close();
    }

    private Watch watchAlone() {
        Store store = settings().purgeInterval(Duration.ZERO).open();
        Watch watch = store.watch("group");
        store.group("group").put("key", "value");
        return watch;
    }

    @Test
    @Tag("slow")
    @Promise({13, 14, 22})
    void aSubscriptionHoldsItsStoreUntilItEndsAndIsToldOfExpiries() {
        List<String> told = new CopyOnWriteArrayList<>();
        awaitExpiryAndEnd(subscriptionAlone(told), told);
        awaitReport();
    }

    private void awaitExpiryAndEnd(Subscription subscription, List<String> told) {
        await().untilAsserted(() -> {
            System.gc();
            assertThat(told).containsExactly("EntryPut", "EntryExpired");
        });
        assertThat(reports()).isEmpty();
        subscription.close();
    }

    private Subscription subscriptionAlone(List<String> told) {
        Store store = settings().purgeInterval(Duration.ofMillis(10)).open();
        Subscription subscription =
                store.onChange(event -> told.add(event.getClass().getSimpleName()));
        store.group("group").put("key", "value", Duration.ofMillis(200));
        return subscription;
    }

    @Test
    @Tag("slow")
    @Promise({8, 22})
    void aTransactionHoldsTheStoreThatNobodyElseHolds() {
        boolean put = settings().open().transact(tx -> {
            collectSomeTimes();
            tx.group("group").put("key", "value");
            return reports().isEmpty();
        });
        assertThat(put).isTrue();
        awaitReport();
        try (Store again = settings().lockTimeout(Duration.ofSeconds(30)).open()) {
            assertThat(again.group("group").get("key")).contains("value");
        }
    }

    @Test
    void aStoreThatWasClosedIsNotReported() {
        WeakReference<Store> closed = openAndClose();
        await().untilAsserted(() -> {
            System.gc();
            assertThat(closed.get()).isNull();
        });
        collectSomeTimes();
        assertThat(reports()).isEmpty();
    }

    private WeakReference<Store> openAndClose() {
        Store store = settings().open();
        store.onChange(event -> store.count());
        store.group("group").put("key", "value");
        store.close();
        store.close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(store::count);
        return new WeakReference<>(store);
    }

    @Test
    @Tag("slow")
    void aStoreThatRefusedToCloseWithinItsTransactionIsReportedStill() {
        refuseToClose();
        awaitReport();
    }

    private void refuseToClose() {
        Store store = settings().open();
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> store.transact(tx -> {
                    store.close();
                    return true;
                }));
    }

    private List<? extends CompletableFuture<?>> writeAndLetGo() {
        TextGroup group =
                settings().purgeInterval(Duration.ofSeconds(60)).open().group("group");
        group.put("key", "a secret");
        return IntStream.range(0, 100)
                .mapToObj(i -> group.async().put("key" + i, "value"))
                .toList();
    }

    private StoreBuilder settings() {
        return Store.builder().path(file);
    }

    private void awaitReport() {
        await().untilAsserted(() -> {
            System.gc();
            assertThat(reports()).hasSize(1);
        });
    }

    private List<ILoggingEvent> reports() {
        return reports(file.toString()); // for stores of other tests may be found meanwhile
    }

    private List<ILoggingEvent> reports(String location) {
        return log.events().stream()
                .filter(report -> report.getFormattedMessage().contains(location))
                .toList();
    }

    private static boolean isOpenedIn(String method, ILoggingEvent report) {
        return Stream.of(report.getThrowableProxy().getStackTraceElementProxyArray())
                .anyMatch(frame -> frame.getStackTraceElement().getMethodName().equals(method));
    }

    private static void collectSomeTimes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            WeakReference<Object> lost = new WeakReference<>(new Object());
            await().pollInterval(Duration.ofMillis(5)).until(() -> {
                System.gc();
                return lost.get() == null;
            });
        }
    }
}
