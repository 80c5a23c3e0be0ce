package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.ttlstore.Store;
import dev.ttlstore.engine.EngineSettings;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The settings of the embedded engine. */
class SqliteTests {

    @TempDir
    Path folder;

    static List<Arguments> refused() {
        return List.of(
                setting("readers", sqlite -> sqlite.readers(0)),
                setting("readers", sqlite -> sqlite.readers(65)),
                setting("pageCacheSize", sqlite -> sqlite.pageCacheSize(64 * 1024 - 1)),
                setting("pageCacheSize", sqlite -> sqlite.pageCacheSize(1024 * 1024 * 1024 + 1)),
                setting("mmapSize", sqlite -> sqlite.mmapSize(-1)),
                setting("mmapSize", sqlite -> sqlite.mmapSize(2_147_418_113)),
                setting("walLimit", sqlite -> sqlite.walLimit(1024 * 1024 - 1)),
                setting("walLimit", sqlite -> sqlite.walLimit(-1)),
                setting("reclaimAfter", sqlite -> sqlite.reclaimAfter(Duration.ofMillis(-1))));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void aNumberOutOfBoundsIsRejectedByTheNameOfTheSetting(String name, Consumer<Sqlite> setting) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> setting.accept(Sqlite.inMemory()))
                .withMessageStartingWith("'" + name + "' must be ");
    }

    static List<Arguments> accepted() {
        return List.of(
                bound("the least", sqlite -> sqlite.readers(1)
                        .pageCacheSize(64 * 1024)
                        .mmapSize(0)
                        .walLimit(1024 * 1024)),
                bound("the most", sqlite -> sqlite.readers(64)
                        .pageCacheSize(1024 * 1024 * 1024)
                        .mmapSize(2_147_418_112)
                        .walLimit(Long.MAX_VALUE)));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void theBoundsThemselvesAreAccepted(String what, UnaryOperator<Sqlite> settings) {
        for (Sqlite sqlite : List.of(Sqlite.inMemory(), Sqlite.file(folder.resolve("store.db")))) {
            try (Store store = Store.builder().engine(settings.apply(sqlite)).open()) {
                store.group("group").put("key", "value");
                assertThat(store.group("group").get("key")).as(what).contains("value");
            }
        }
    }

    @Test
    void eachSettingReachesTheEngineAndLeavesTheOriginalAsItWas() {
        EngineSettings asked = new EngineSettings(true, Duration.ofSeconds(7), InstantSource.system());
        Sqlite original = Sqlite.inMemory();
        SqliteSettings defaults = original.settings(asked);
        SqliteSettings changed = original.readers(3)
                .pageCacheSize(1 << 20)
                .mmapSize(4096)
                .walLimit(2 << 20)
                .copyBeforeMigration(true)
                .reclaimAfter(Duration.ofHours(2))
                .externalCheckpoints(true)
                .lookEvery(Duration.ofMillis(5))
                .settings(asked);
        assertThat(changed.asked()).isSameAs(asked);
        assertThat(changed.options().lookEvery).isEqualTo(Duration.ofMillis(5));
        assertThat(changed.options().toString())
                .isEqualTo(
                        "readers=3, pageCacheSize=1048576, mmapSize=4096, walLimit=2097152, copyBeforeMigration=true,"
                                + " reclaimAfter=PT2H, externalCheckpoints=true");
        assertThat(original.settings(asked)).isEqualTo(defaults);
    }

    @Test
    void theLastOfSeveralPlacesCounts() {
        Path file = folder.resolve("last.db");
        try (Store store = Store.builder()
                .inMemory()
                .path(folder.resolve("first.db"))
                .engine(Sqlite.file(file))
                .open()) {
            assertThat(store.path()).isEqualTo(file.toAbsolutePath());
        }
        assertThat(folder.resolve("first.db")).doesNotExist();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tried
    void nullIsRejectedByName() {
        assertThatNullPointerException().isThrownBy(() -> Sqlite.file(null)).withMessage("'path' must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Store.builder().engine(null))
                .withMessage("'engine' must not be null");
    }

    private static Arguments setting(String name, Consumer<Sqlite> setting) {
        return arguments(name, setting);
    }

    private static Arguments bound(String what, UnaryOperator<Sqlite> settings) {
        return arguments(what, settings);
    }
}
