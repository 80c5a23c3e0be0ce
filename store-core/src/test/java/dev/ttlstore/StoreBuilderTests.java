package dev.ttlstore;

import java.util.List;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The bounds of the settings that are numbers. */
class StoreBuilderTests {

    private static final long HALF_OF_THE_HEAP = Runtime.getRuntime().maxMemory() / 2;

    static List<Arguments> refused() {
        return List.of(
                setting("maxValueSize", builder -> builder.maxValueSize(0)),
                setting("maxValueSize", builder -> builder.maxValueSize(999_000_001)),
                setting("cacheSize", builder -> builder.cacheSize(-1)),
                setting("cacheSize", builder -> builder.cacheSize(HALF_OF_THE_HEAP + 1)),
                setting("cacheSize", builder -> builder.cacheSize(Long.MAX_VALUE)));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void aNumberOutOfBoundsIsRefusedByTheNameOfTheSetting(String name, Consumer<StoreBuilder> setting) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> setting.accept(Store.builder()))
                .withMessageStartingWith("'" + name + "' must be ");
    }

    static List<Arguments> accepted() {
        return List.of(
                setting("the least", builder -> builder.maxValueSize(10).cacheSize(1)),
                setting("the most", builder -> builder.maxValueSize(999_000_000).cacheSize(HALF_OF_THE_HEAP)));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void theBoundsThemselvesAreAccepted(String what, Consumer<StoreBuilder> settings) {
        StoreBuilder builder = Store.builder().inMemory();
        settings.accept(builder);
        try (Store store = builder.open()) {
            store.group("group").put("key", "value");
            assertThat(store.group("group").get("key")).as(what).contains("value");
        }
    }

    @Test
    void theDefaultOfTheCacheGrowsWithTheHeap() {
        long mib = 1024 * 1024;
        assertThat(SettingRules.defaultCacheSize(128 * mib)).isEqualTo(16 * mib);
        assertThat(SettingRules.defaultCacheSize(256 * mib)).isEqualTo(32 * mib);
        assertThat(SettingRules.defaultCacheSize(512 * mib)).isEqualTo(32 * mib);
        assertThat(SettingRules.defaultCacheSize(1024 * mib)).isEqualTo(64 * mib);
        assertThat(SettingRules.defaultCacheSize(16 * 1024 * mib)).isEqualTo(128 * mib);
    }

    private static Arguments setting(String name, Consumer<StoreBuilder> setting) {
        return arguments(name, setting);
    }
}
