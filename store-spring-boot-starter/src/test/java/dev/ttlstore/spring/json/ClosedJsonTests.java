package dev.ttlstore.spring.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

import dev.ttlstore.Codec;
import dev.ttlstore.TypeRef;

import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** P25: what the settings of the starter's mapper give back. */
class ClosedJsonTests {

    private final JsonValues values = JsonValues.ofStarter();
    private final JsonMapper mapper = values.mapper();

    record Times(
            Instant instant,
            ZonedDateTime zoned,
            ZonedDateTime utc,
            OffsetDateTime offset,
            OffsetTime time,
            LocalTime local,
            LocalDate date,
            Duration duration,
            Period period,
            Year year,
            YearMonth month,
            ZoneId zone,
            ZoneOffset zoneOffset) {}

    @Test
    void timesKeepTheirZonesOffsetsAndNanoseconds() {
        ZonedDateTime zoned = ZonedDateTime.of(2030, 10, 27, 2, 30, 0, 1, ZoneId.of("Europe/Berlin"));
        Times times = new Times(
                zoned.toInstant(),
                zoned.withLaterOffsetAtOverlap(),
                zoned.withZoneSameInstant(ZoneId.of("UTC")),
                OffsetDateTime.parse("2030-01-01T00:00:00.000000001+05:30"),
                OffsetTime.parse("10:15:30+01:00"),
                LocalTime.MAX,
                LocalDate.of(12345, 1, 1),
                Duration.ofSeconds(-1, 1),
                Period.of(-1, 14, 40),
                Year.of(12345),
                YearMonth.of(12345, 12),
                ZoneId.of("UTC"),
                ZoneOffset.ofHours(-3));
        assertThat(values.again(times)).isEqualTo(times);
        assertThat(values.isClosed(Times.class)).isTrue();
    }

    enum Size {
        SMALL,
        LARGE;

        @Override
        public String toString() {
            return "a size";
        }
    }

    record Values(
            String text,
            char letter,
            float single,
            double real,
            BigDecimal scaled,
            BigInteger huge,
            UUID id,
            Locale locale,
            Currency currency,
            URI uri,
            Size size,
            Optional<Size> optional,
            Optional<Size> none,
            List<@Nullable Long> list,
            Set<Size> set,
            Map<Size, List<Double>> map,
            @Nullable String missing) {}

    @Test
    void valuesOfJavaComeBackAsTheyWere() {
        List<@Nullable Long> list = new ArrayList<>(List.of(5L, Long.MIN_VALUE));
        list.add(null);
        Values all = new Values(
                "\u0000\u001f\"\\é🌦",
                '\u0000',
                Float.NaN,
                -0.0,
                new BigDecimal("1.10"),
                BigInteger.ONE.shiftLeft(20_000),
                UUID.randomUUID(),
                Locale.forLanguageTag("zh-Hant-TW"),
                Currency.getInstance("EUR"),
                URI.create("/a?b=%20#c"),
                Size.LARGE,
                Optional.of(Size.SMALL),
                Optional.empty(),
                list,
                Set.of(Size.LARGE),
                Map.of(Size.SMALL, List.of(Double.POSITIVE_INFINITY)),
                null);
        assertThat(values.again(all)).isEqualTo(all);
        assertThat(new JsonTypes(mapper)
                        .test(mapper.constructType(Values.class))
                        .passes(all))
                .isTrue();
    }

    @Test
    void eachClassOfJavaWithSamplesIsClosed() {
        assertThat(JsonSamples.types())
                .filteredOn(type -> !values.isClosed(type))
                .as("classes whose samples do not come back")
                .isEmpty();
    }

    @SuppressWarnings("ArrayRecordComponent") // as applications have them
    record Bytes(byte[] bytes, char[] letters, int[][] numbers, Size[] sizes) {}

    @Test
    void arraysComeBack() {
        Bytes bytes = new Bytes(new byte[] {0, -1}, new char[] {'a'}, new int[][] {{1}, {}}, new Size[] {Size.LARGE});
        assertThat(values.again(bytes)).usingRecursiveComparison().isEqualTo(bytes);
        assertThat(values.isClosed(Bytes.class)).isTrue();
    }

    record Page(String name, List<Page> children) {}

    @Test
    void aTypeThatContainsItselfIsClosed() {
        assertThat(values.isClosed(Page.class)).isTrue();
        Page node = new Page("a", List.of(new Page("b", List.of())));
        assertThat(values.again(node)).isEqualTo(node);
    }

    @JsonIgnoreProperties({"renamed", "other"})
    static final class Ignoring {
        @JsonProperty("renamed")
        private String name = "";

        private int other;
        private int kept;
    }

    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private int code;

        Failure() {
            super("no");
        }
    }

    record Pair(Map.Entry<String, Integer> entry) {}

    @Test
    void whatJacksonHandlesIsNotRefused() {
        Ignoring ignoring = new Ignoring();
        ignoring.name = "a";
        ignoring.other = 1;
        ignoring.kept = 1;
        Ignoring again = values.again(ignoring);
        assertThat(again.kept).isEqualTo(1);
        assertThat(again.name + again.other).isEqualTo("0");
        Failure failure = new Failure();
        failure.code = 5;
        assertThat(values.again(failure).code).isEqualTo(5);
        assertThat(values.again(new Pair(Map.entry("a", 1)))).isEqualTo(new Pair(Map.entry("a", 1)));
    }

    static class Address {
        public String city = "";
    }

    static class Customer {
        private final List<Address> addresses = new ArrayList<>();
        public @Nullable Customer parent;

        Customer() {}

        Customer(List<Address> addresses) {
            this.addresses.addAll(addresses);
        }

        public void setAddresses(List<Address> some) {
            addresses.clear();
            addresses.addAll(some);
        }
    }

    static final class Moved extends Address {}

    @Test
    void objectsOfDeclaredClassesNeedNotBeReadBackAndThoseOfSubclassesDo() {
        ClassTest test = new JsonTypes(mapper).test(mapper.constructType(Customer.class));
        Customer customer = new Customer(List.of(new Address()));
        assertThat(test.passes(customer)).isTrue();
        customer.parent = new Customer(List.of(new Address()));
        assertThat(test.passes(customer)).isTrue();
        customer.parent.parent = new Customer(List.of(new Moved()));
        assertThat(test.passes(customer)).isFalse();
        assertThat(test.passes(new Customer() {})).isFalse();
    }

    @Test
    void genericTypesAreLookedAtWithTheirArguments() {
        TypeRef<Map<String, List<MappedClassesTests.Money>>> type = new TypeRef<>() {};
        Codec<Map<String, List<MappedClassesTests.Money>>> codec =
                requireNonNull(values.factory().codec(type));
        Map<String, List<MappedClassesTests.Money>> value =
                Map.of("a", List.of(new MappedClassesTests.Money(BigDecimal.ONE)));
        assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
        assertThat(values.isClosed(mapper.constructType(new TypeRef<Map<String, List<Page>>>() {}.type())))
                .isTrue();
        assertThat(values.isClosed(mapper.constructType(new TypeRef<Map<String, Object>>() {}.type())))
                .isFalse();
    }
}
