package dev.ttlstore.spring.cache;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Keys of caches as texts: equal ones alike, different ones not. */
class CacheKeysTests {

    record Point(int x, @Nullable Integer y) {}

    static final class Unknown {}

    /** Keys of which no two are equal. */
    @SuppressWarnings("JavaUtilDate") // which may be a key, too
    static List<Object> differentKeys() {
        return List.of(
                "1",
                "",
                "#1",
                "#Integer:1",
                1,
                1L,
                (short) 1,
                (byte) 1,
                '1',
                1.0,
                1.0f,
                new BigDecimal("1.0"),
                new BigDecimal("1.00"),
                true,
                "a,b",
                "half of a pair: \ud800",
                "half of a pair: \ud801",
                "with NUL \0",
                "x".repeat(5_000),
                "x".repeat(5_001),
                new UUID(1, 2),
                LocalDate.of(2026, 1, 1),
                Duration.ofDays(1),
                new Date(1),
                URI.create("http://a@example.org/a"),
                URI.create("http://A@example.org/a"),
                URI.create("http://example.org/A"),
                URI.create("mailto:a@example.org"),
                Optional.empty(),
                Optional.of("1"),
                Optional.of(1),
                OptionalInt.of(1),
                OptionalLong.of(1),
                OptionalDouble.of(1),
                TimeUnit.DAYS,
                String.class,
                SimpleKey.EMPTY,
                new SimpleKey("a", "b"),
                new SimpleKey("a,b"),
                new SimpleKey("a", null),
                new SimpleKey("a", "null"),
                new SimpleKey((Object) new int[] {1, 2}),
                new SimpleKey((Object) new long[] {1, 2}),
                new Point(1, 2),
                new Point(12, null),
                List.of("a", "b"),
                List.of("a,b"),
                List.of(List.of("a"), "b"),
                List.of(List.of("a", "b")),
                List.of(),
                Set.of("a", "b"),
                Map.of("a", "b"),
                Map.of("a", 1, "b", 2),
                PageRequest.of(0, 10),
                PageRequest.of(1, 10),
                PageRequest.of(0, 10, Sort.by("name")),
                PageRequest.of(0, 10, Sort.by("name").descending()),
                PageRequest.of(0, 10, Sort.by("name", "age")),
                PageRequest.of(0, 10, Sort.by("name: ASC,age")),
                Pageable.unpaged(),
                Pageable.unpaged(Sort.by("name")),
                Sort.unsorted(),
                Sort.by("name"),
                Sort.by(Sort.Order.by("name").ignoreCase()),
                Sort.by(Sort.Order.by("name").nullsFirst()),
                List.of("page", 0, 10));
    }

    @Test
    void differentKeysHaveDifferentTexts() {
        assertThat(differentKeys().stream().map(CacheKeys::of)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("differentKeys")
    void aStoreTakesTheTexts(Object key) {
        String text = CacheKeys.of(key);
        assertThat(text).isNotEmpty().doesNotContain("\0");
        assertThat(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1_024);
    }

    @Test
    void equalKeysHaveTheSameText() {
        Map<String, Integer> one = new LinkedHashMap<>(Map.of("b", 2));
        one.put("a", 1);
        assertThat(CacheKeys.of(one)).isEqualTo(CacheKeys.of(Map.of("a", 1, "b", 2)));
        assertThat(CacheKeys.of(new TreeSet<>(Set.of("b", "a")))).isEqualTo(CacheKeys.of(Set.of("a", "b")));
        assertThat(CacheKeys.of(Arrays.asList("a", "b"))).isEqualTo(CacheKeys.of(List.of("a", "b")));
        assertThat(CacheKeys.of(new SimpleKey("a", 1))).isEqualTo(CacheKeys.of(new SimpleKey("a", 1)));
        assertThat(CacheKeys.of(new Point(1, 2))).isEqualTo(CacheKeys.of(new Point(1, 2)));
    }

    @Test
    void pagesAndSortsOfSpringDataAreAsEqualAsItSays() {
        PageRequest one = PageRequest.of(2, 10, Sort.by("name").and(Sort.by("age")));
        PageRequest other = PageRequest.of(1, 10, Sort.by("name", "age")).next();
        assertThat(one).isEqualTo(other);
        assertThat(CacheKeys.of(new SimpleKey("a", one))).isEqualTo(CacheKeys.of(new SimpleKey("a", other)));
    }

    @Test
    void urisAreAsEqualAsJavaSays() {
        URI one = URI.create("HTTP://example@Example.ORG:80/a%c3%a4?b#c");
        URI other = URI.create("http://example@example.org:80/a%C3%A4?b#c");
        assertThat(one).isEqualTo(other);
        assertThat(CacheKeys.of(one)).isEqualTo(CacheKeys.of(other));
    }

    /** They are in the file, so another release must find them. */
    @Test
    void theTextsStayAsTheyAre() {
        assertThat(CacheKeys.of("ann@example.org")).isEqualTo("ann@example.org");
        assertThat(CacheKeys.of(7L)).isEqualTo("#Long:7");
        assertThat(CacheKeys.of(SimpleKey.EMPTY)).isEqualTo("#SimpleKey:");
        assertThat(CacheKeys.of(new SimpleKey("a", 1))).isEqualTo("#SimpleKey:8.String:a,9.Integer:1");
    }

    @Test
    void whatHasNoTextIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CacheKeys.of(new SimpleKey(1, new Unknown())))
                .withMessageContaining("'key' must not consist of objects of " + Unknown.class.getName())
                .withMessageContaining("@Cacheable(key = \"#order.id\")");
    }
}
