package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.event.Watch;
import dev.ttlstore.exception.StoreFormatException;
import dev.ttlstore.exception.StoreLockedException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** What a store takes it gives back, whether it opened or not. */
@Promise({20, 22, 23})
class OpenAndCloseTests {

    private static final int ROUNDS = Effort.of(100, 1_000);

    @TempDir
    Path folder;

    private final Set<Thread> threads = Thread.getAllStackTraces().keySet();
    private Path file = Path.of("unset");
    private Path text = Path.of("unset");

    @BeforeEach
    void writeFiles() throws IOException {
        file = folder.toRealPath().resolve("store.db");
        text = Files.writeString(folder.toRealPath().resolve("text.db"), "no store at all ".repeat(100));
    }

    @Tag("slow")
    @Test
    void manyOpeningsLeaveNothingBehind() throws IOException {
        for (int round = 0; round < 10; round++) {
            useInEveryWay(round);
        }
        for (int round = 0; round < ROUNDS; round++) {
            if (round % 50 == 0) {
                useInEveryWay(round);
            } else {
                try (Store store = at(file).open()) {
                    store.group("group").put("key", "value" + round);
                }
            }
            if (round % 10 == 0) {
                failToOpen();
            }
        }
        assertNothingIsLeft();
        try (Store store = at(file).open()) {
            assertThat(store.group("group").get("key")).contains("value" + (ROUNDS - 1));
        }
    }

    private void useInEveryWay(int round) {
        try (Store store = Store.builder().path(file).open()) {
            List<String> told = new ArrayList<>();
            Subscription subscription = store.onChange(event -> told.add(event.group()));
            Watch watch = store.watch();
            store.group("group").async().put("key", "value" + round).join();
            store.scope("tenant").group("group").put("key", "value", Duration.ofHours(1));
            assertThat(store.group("group").getAll()).containsOnlyKeys("key");
            assertThat(watch.poll()).isPresent();
            assertThat(told).hasSize(2);
            if (round % 100 == 0) {
                subscription.close();
                watch.close();
            }
            assertThatExceptionOfType(StoreLockedException.class).isThrownBy(() -> at(file).open());
        }
    }

    private void failToOpen() {
        assertThatExceptionOfType(StoreFormatException.class).isThrownBy(() -> at(text).open());
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> at(file).clock(() -> {
                    throw new IllegalStateException("no time");
                })
                .open());
    }

    private static StoreBuilder at(Path path) {
        return Store.builder().path(path).lockTimeout(Duration.ZERO);
    }

    private void assertNothingIsLeft() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(each -> String.valueOf(each.getFileName())))
                    .containsExactlyInAnyOrder("store.db", "store.db.lock", "store.db.reserve", "text.db");
        }
        assertThat(System.getProperties().stringPropertyNames()).noneMatch(name -> name.contains(folder.toString()));
        // Threads that have nothing to do any more end on their own.
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> !threads.contains(thread))
                    .extracting(Thread::getName)
                    .doesNotContain("ttl-store-purge", "ttl-store-commit", "ttl-store-watch");
            assertThat(openDescriptors()).noneMatch(target -> target.contains(folder.toString()));
        });
    }

    /** What the descriptors of this process lead to, where that can be asked. */
    private static List<String> openDescriptors() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return List.of();
        }
        List<String> targets = new ArrayList<>();
        try (Stream<Path> all = Files.list(descriptors)) {
            for (Path each : all.toList()) {
                try {
                    targets.add(Files.readSymbolicLink(each).toString());
                } catch (IOException e) {
                    targets.add(""); // the one by which the folder was listed
                }
            }
        }
        return targets;
    }
}
