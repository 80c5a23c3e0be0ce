package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.contract.Threads;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.exception.StoreLockedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise(20)
class FileOwnershipTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    @Test
    void aSecondStoreInTheSameProcessIsRefusedWithPathAndHolder() {
        try (Store first = Store.open(file)) {
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> at(file).open())
                    .satisfies(refusal -> assertThat(refusal.path()).isEqualTo(file))
                    .satisfies(refusal -> assertThat(refusal.holder())
                            .contains(
                                    "same process",
                                    String.valueOf(ProcessHandle.current().pid())))
                    .withMessageContaining(file.toString());
            first.group("group").put("key", "value");
        }
    }

    @Test
    void aClosedStoreGivesItsFileBack() {
        Store.open(file).close();
        try (Store again = at(file).open()) {
            assertThat(again.count()).isZero();
        }
    }

    @Test
    void aSecondProcessIsRefusedUntilTheFirstIsGoneHoweverItWent() throws IOException, InterruptedException {
        try (ChildJvm holder = ChildJvm.start(HoldingProgram.class, file)) {
            holder.await("open");
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> at(file).open())
                    .satisfies(refusal -> assertThat(refusal.path()).isEqualTo(file))
                    .satisfies(
                            refusal -> assertThat(refusal.holder()).startsWith("process " + holder.pid() + ", since "))
                    .withMessageContaining(String.valueOf(holder.pid()));
            holder.kill();
        }
        try (Store store = at(file).open()) {
            assertThat(store.group("group").get("key")).contains("value");
        }
    }

    @Tag("slow")
    @Test
    void openingWaitsForAnotherProcessThatClosesInTime() throws IOException {
        try (ChildJvm holder = ChildJvm.start(HoldingProgram.class, file)) {
            holder.await("open");
            Future<Store> opening =
                    Threads.start(thread -> at(file).lockTimeout(PATIENCE).open());
            Awaitility.await().during(Duration.ofMillis(200)).until(() -> !opening.isDone());
            holder.tell("close");
            holder.await("closed");
            try (Store store = Threads.get(opening)) {
                assertThat(store.group("group").get("key")).contains("value");
            }
        }
    }

    @Test
    void openingWaitsForAStoreInTheSameProcessThatClosesInTime() {
        Store first = Store.open(file);
        Future<Store> opening =
                Threads.start(thread -> at(file).lockTimeout(PATIENCE).open());
        Awaitility.await().during(Duration.ofMillis(200)).until(() -> !opening.isDone());
        first.close();
        Threads.get(opening).close();
    }

    @Test
    void openingGivesUpWhenTheLockTimeoutIsOver() {
        Duration timeout = Duration.ofMillis(150);
        try (Store first = Store.open(file)) {
            long begun = System.nanoTime();
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> at(file).lockTimeout(timeout).open());
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(timeout);
            assertThat(first.count()).isZero();
        }
    }

    @Test
    void twoNamesOfOneFileAreOneStore() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
        Path linkedFolder = Files.createSymbolicLink(folder.resolve("linked"), folder);
        try (Store store = Store.open(file)) {
            assertThat(store.stats().path()).isEqualTo(file);
            assertThatExceptionOfType(StoreLockedException.class).isThrownBy(() -> at(link).open());
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> at(linkedFolder.resolve("store.db")).open());
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> at(folder.resolve("x").resolve("..").resolve("store.db"))
                            .open());
        }
    }

    @Test
    void anEngineThatIsClosedTwiceDoesNotTakeTheFileFromItsNextOwner() {
        Engine engine = Sqlite.file(file).open(new EngineSettings(false, Duration.ZERO, InstantSource.system()));
        engine.close();
        try (Store next = Store.open(file)) {
            engine.close();
            assertThatExceptionOfType(StoreLockedException.class).isThrownBy(() -> at(file).open());
            assertThat(next.count()).isZero();
        }
    }

    @Test
    @Promise({20, 23})
    void anEngineThatWasNeverUsedIsClosedLikeAnyOther() throws IOException {
        Sqlite.file(file)
                .open(new EngineSettings(false, Duration.ZERO, InstantSource.system()))
                .close();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(each -> String.valueOf(each.getFileName())))
                    .containsExactlyInAnyOrder("store.db", "store.db.lock", "store.db.reserve");
        }
    }

    @Test
    void openingThatFailsBecauseOfTheClockDoesNotKeepTheFileLocked() {
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> at(file).clock(() -> {
                    throw new IllegalStateException("no time");
                })
                .open());
        at(file).open().close();
    }

    private static StoreBuilder at(Path file) {
        return Store.builder().path(file).lockTimeout(Duration.ZERO).purgeInterval(Duration.ZERO);
    }
}
