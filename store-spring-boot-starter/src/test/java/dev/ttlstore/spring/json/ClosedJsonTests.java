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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;

import dev.ttlstore.Codec;
import dev.ttlstore.TypeRef;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonPOJOBuilder;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** P25: what the settings of the starter's mapper give back. */
class ClosedJsonTests {

    private final JsonMapper mapper = JacksonCodecFactory.defaults().build();
    private final JacksonCodecFactory factory = new JacksonCodecFactory(mapper);

    @SuppressWarnings("unchecked") // of the class of the value
    private <V> V again(V value) {
        Codec<V> codec = requireNonNull(factory.codec((Class<V>) value.getClass()));
        return codec.decode(codec.encode(value));
    }

    private boolean isClosed(Class<?> type) {
        return isClosed(mapper.constructType(type));
    }

    /** Tests whether a value need not be read back because of its type alone, or because of a look at it. */
    private boolean isClosed(JavaType type) {
        return new JsonTypes(mapper).test(type) != ClassTest.FAILS;
    }

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
        assertThat(again(times)).isEqualTo(times);
        assertThat(isClosed(Times.class)).isTrue();
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
        Values values = new Values(
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
        assertThat(again(values)).isEqualTo(values);
        assertThat(new JsonTypes(mapper)
                        .test(mapper.constructType(Values.class))
                        .passes(values))
                .isTrue();
    }

    @Test
    void eachClassOfJavaWithSamplesIsClosed() {
        assertThat(JsonSamples.types())
                .filteredOn(type -> !isClosed(type))
                .as("classes whose samples do not come back")
                .isEmpty();
    }

    @SuppressWarnings("ArrayRecordComponent") // as applications have them
    record Bytes(byte[] bytes, char[] letters, int[][] numbers, Size[] sizes) {}

    @Test
    void arraysComeBack() {
        Bytes bytes = new Bytes(new byte[] {0, -1}, new char[] {'a'}, new int[][] {{1}, {}}, new Size[] {Size.LARGE});
        assertThat(again(bytes)).usingRecursiveComparison().isEqualTo(bytes);
        assertThat(isClosed(Bytes.class)).isTrue();
    }

    /** Has a list that only a getter reaches. */
    static final class Cart {
        private final List<String> items = new ArrayList<>();

        public List<String> getItems() {
            return items;
        }
    }

    @Test
    void aListThatHasOnlyAGetterComesBack() {
        Cart cart = new Cart();
        cart.getItems().add("a");
        assertThat(again(cart).getItems()).containsExactly("a");
    }

    static final class Tagged {
        private final List<String> tags = new ArrayList<>();

        public List<String> getTags() {
            return tags;
        }

        public List<String> getSortedTags() {
            return tags.stream().sorted().toList();
        }

        public Map<String, Integer> getLengths() {
            return tags.stream().collect(Collectors.toMap(tag -> tag, String::length));
        }
    }

    @Test
    void listsThatGettersComputeAreNotRead() {
        Tagged tagged = new Tagged();
        tagged.getTags().addAll(List.of("b", "a"));
        assertThat(again(tagged).getTags()).containsExactly("b", "a");
    }

    @SuppressWarnings("UnusedVariable")
    static final class Hidden {
        private String name = "";
        private transient int uses;

        @JsonIgnore
        private int ignored;

        static Hidden of(String name) {
            Hidden hidden = new Hidden();
            hidden.name = name;
            hidden.uses = 1;
            hidden.ignored = 1;
            return hidden;
        }
    }

    @Test
    void fieldsWithoutAccessorsComeBackUnlessTheyAreLeftOutOnPurpose() {
        Hidden again = again(Hidden.of("a"));
        assertThat(again.name).isEqualTo("a");
        assertThat(again.uses + again.ignored).isZero();
        assertThat(isClosed(Hidden.class)).isTrue();
    }

    static final class Person {
        private String mName = "";
        private boolean isActive;

        public String getName() {
            return mName;
        }

        public void setName(String name) {
            this.mName = name;
        }

        public boolean isActive() {
            return isActive;
        }

        public void setActive(boolean active) {
            this.isActive = active;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Person that && mName.equals(that.mName) && isActive == that.isActive;
        }

        @Override
        public int hashCode() {
            return Objects.hash(mName, isActive);
        }
    }

    @Test
    void propertiesMayHaveOtherNamesThanFields() {
        Person person = new Person();
        person.setName("a");
        person.setActive(true);
        assertThat(again(person)).isEqualTo(person);
        JacksonCodecFactory plain = new JacksonCodecFactory(JsonMapper.builder().build());
        Codec<Person> codec = requireNonNull(plain.codec(Person.class));
        assertThat(codec.decode(codec.encode(person))).isEqualTo(person);
    }

    /** As many libraries write classes. */
    static final class Made {
        private final String name;
        private final int size;

        @JsonCreator
        Made(@JsonProperty("title") String name, @JsonProperty("size") int size) {
            this.name = name;
            this.size = size;
        }

        @JsonProperty("title")
        public String getName() {
            return name;
        }

        public int getSize() {
            return size;
        }

        public String getComputed() {
            return name + size;
        }
    }

    static final class Parameters {
        private final String name;
        private final List<String> tags;

        public Parameters(String name, List<String> tags) {
            this.name = name;
            this.tags = tags;
        }

        public String name() {
            return name;
        }

        public List<String> getTags() {
            return tags;
        }
    }

    @JsonDeserialize(builder = Built.Builder.class)
    static final class Built {
        private final String name;

        private Built(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }

        @JsonPOJOBuilder
        static final class Builder {
            private String name = "";

            public Builder withName(String value) {
                this.name = value;
                return this;
            }

            public Built build() {
                return new Built(name);
            }
        }
    }

    static final class Extras {
        private final Map<String, String> more = new java.util.LinkedHashMap<>();

        @JsonAnyGetter
        public Map<String, String> more() {
            return more;
        }

        @JsonAnySetter
        public void put(String key, String value) {
            more.put(key, value);
        }
    }

    record Money(BigDecimal amount) {

        @JsonCreator
        static Money of(String text) {
            return new Money(new BigDecimal(text));
        }

        @JsonValue
        String text() {
            return amount.toString();
        }
    }

    @Test
    void classesThatJacksonIsToldHowToMapAreNotRefused() {
        assertThat(again(new Made("a", 1))).usingRecursiveComparison().isEqualTo(new Made("a", 1));
        assertThat(again(new Parameters("a", List.of("b"))).name()).isEqualTo("a");
        assertThat(again(new Built.Builder().withName("a").build()).getName()).isEqualTo("a");
        Extras extras = new Extras();
        extras.put("a", "b");
        assertThat(again(extras).more()).containsExactly(Map.entry("a", "b"));
        assertThat(again(new Money(new BigDecimal("1.10")))).isEqualTo(new Money(new BigDecimal("1.10")));
    }

    /** Not for JSON. */
    @SuppressWarnings("UnusedVariable")
    static final class Amount {
        private final long cents;

        Amount(long cents, @Nullable Object unused) {
            this.cents = cents;
        }
    }

    static final class Priced {
        private Amount amount = new Amount(0, null);
        private List<Amount> more = List.of();
        private @Nullable String note;

        public long getAmount() {
            return amount.cents;
        }

        public void setAmount(long cents) {
            this.amount = new Amount(cents, null);
        }

        public List<Long> getMore() {
            return more.stream().map(each -> each.cents).toList();
        }

        public void setMore(List<Long> all) {
            this.more = all.stream().map(cents -> new Amount(cents, null)).toList();
        }

        public Optional<String> getNote() {
            return Optional.ofNullable(note);
        }

        public void setNote(@Nullable String note) {
            this.note = note;
        }
    }

    @Test
    void accessorsMayConvertTheirField() {
        Priced priced = new Priced();
        priced.setAmount(5);
        priced.setMore(List.of(6L));
        priced.setNote("a");
        Priced again = again(priced);
        assertThat(again.getAmount()).isEqualTo(5);
        assertThat(again.getMore()).containsExactly(6L);
        assertThat(again.getNote()).contains("a");
    }

    record Page(String name, List<Page> children) {}

    @Test
    void aTypeThatContainsItselfIsClosed() {
        assertThat(isClosed(Page.class)).isTrue();
        Page node = new Page("a", List.of(new Page("b", List.of())));
        assertThat(again(node)).isEqualTo(node);
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
        Ignoring again = again(ignoring);
        assertThat(again.kept).isEqualTo(1);
        assertThat(again.name + again.other).isEqualTo("0");
        Failure failure = new Failure();
        failure.code = 5;
        assertThat(again(failure).code).isEqualTo(5);
        assertThat(again(new Pair(Map.entry("a", 1)))).isEqualTo(new Pair(Map.entry("a", 1)));
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
        TypeRef<Map<String, List<Money>>> type = new TypeRef<>() {};
        Codec<Map<String, List<Money>>> codec = requireNonNull(factory.codec(type));
        Map<String, List<Money>> value = Map.of("a", List.of(new Money(BigDecimal.ONE)));
        assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
        assertThat(isClosed(mapper.constructType(new TypeRef<Map<String, List<Page>>>() {}.type())))
                .isTrue();
        assertThat(isClosed(mapper.constructType(new TypeRef<Map<String, Object>>() {}.type())))
                .isFalse();
    }
}
