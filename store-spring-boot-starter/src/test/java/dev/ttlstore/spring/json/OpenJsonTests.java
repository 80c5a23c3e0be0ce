package dev.ttlstore.spring.json;

import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** P25: what does not come back is refused when it is written, with a message that has no values. */
@SuppressWarnings("UnusedVariable") // fields that nothing reads are the point
class OpenJsonTests {

    private static final String SECRET = "hunter2";

    private final JsonMapper mapper = JacksonCodecFactory.defaults().build();
    private final JsonMapper plain = JsonMapper.builder().build();

    private static <V> byte[] encoded(JsonMapper mapper, Class<V> type, V value) {
        Codec<V> codec = requireNonNull(new JacksonCodecFactory(mapper).codec(type));
        byte[] json = codec.encode(value);
        assertThat(codec.decode(json)).isNotNull();
        return json;
    }

    private static <V> void assertRefused(JsonMapper mapper, Class<V> type, V value, String... facts) {
        Codec<V> codec = requireNonNull(new JacksonCodecFactory(mapper).codec(type));
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(CodecException.class)
                    .isThrownBy(() -> codec.encode(value))
                    .withMessageNotContaining(SECRET)
                    .satisfies(e -> assertThat(e.getMessage()).contains(facts));
        }
    }

    static final class Constant {
        private final String item;

        Constant() {
            this.item = "a";
        }
    }

    static final class Unnamed {
        private String name = SECRET;

        Unnamed() {}
    }

    @Test
    void aClassWithStateThatTheMapperDoesNotSeeIsRefusedWhateverItsValuesAre() {
        assertRefused(plain, Unnamed.class, new Unnamed(), "Unnamed.name' is not seen", "@JsonIgnore");
        assertRefused(plain, Constant.class, new Constant(), "Constant.item' is not seen");
        assertRefused(mapper, Constant.class, new Constant(), "Constant.item' is written, but not set");
    }

    static class Base {
        private final List<String> items = new ArrayList<>();

        public List<String> getItems() {
            return items;
        }
    }

    static final class Extended extends Base {
        private int size;

        public int getSize() {
            return size;
        }
    }

    record Holder(List<Extended> all) {}

    @Test
    void stateOfSuperclassesAndPropertiesCounts() {
        assertRefused(plain, Extended.class, new Extended(), "Base.items' is written, but not set");
        assertRefused(plain, Holder.class, new Holder(List.of()), "Base.items");
    }

    static final class Copying {
        private final List<String> items = new ArrayList<>();

        public List<String> getItems() {
            return List.copyOf(items);
        }

        void add(String item) {
            items.add(item);
        }
    }

    static final class Cloning {
        private final List<String> items = new ArrayList<>();

        public List<String> getItems() {
            return new ArrayList<>(items);
        }

        void add(String item) {
            items.add(item);
        }
    }

    @Test
    void aGetterThatReturnsACopyIsNoSetter() {
        Copying copying = new Copying();
        copying.add(SECRET);
        assertRefused(mapper, Copying.class, copying, "could not be read");
        Cloning cloning = new Cloning();
        cloning.add(SECRET);
        assertRefused(mapper, Cloning.class, cloning, "'items'");
    }

    class Inner {
        private int size;
    }

    @Test
    void aClassThatJacksonCannotCreateIsRefused() {
        assertRefused(mapper, Inner.class, new Inner(), "make the class static");
    }

    @SuppressWarnings("unchecked") // the value is of the codec's class
    private static <V> void encode(Codec<V> codec, Object value) {
        byte[] unused = codec.encode((V) value);
    }

    record Event(String name, Map<String, Object> details) {}

    @Test
    void whatIsInAnObjectIsRefusedUnlessItComesBack() {
        encoded(mapper, Event.class, new Event("a", Map.of("text", SECRET, "flag", true, "int", 1, "real", 0.5)));
        encoded(mapper, Event.class, new Event("a", Map.of("list", List.of(1, "b", Map.of()))));
        assertRefused(
                mapper,
                Event.class,
                new Event(SECRET, Map.of(SECRET, List.of(5L))),
                "'details[][]' a java.lang.Long would become a java.lang.Integer");
        assertRefused(mapper, Event.class, new Event(SECRET, Map.of(SECRET, Set.of(1))), "'details[]'");
        Map<Object, Object> keys = new LinkedHashMap<>();
        keys.put(1, 1);
        assertRefused(mapper, Map.class, keys, "[key]");
    }

    record Sorted(TreeMap<String, Integer> map, TreeSet<String> set) {}

    /** The first key would be another one. */
    @Test
    void anOrderOfItsOwnIsRefused() {
        TreeMap<String, Integer> map = new TreeMap<>(Map.of("a", 1, "b", 2));
        TreeSet<String> set = new TreeSet<>(Set.of("a", "b"));
        encoded(mapper, Sorted.class, new Sorted(map, set));
        TreeMap<String, Integer> reversed = new TreeMap<>(Comparator.reverseOrder());
        reversed.putAll(map);
        assertRefused(mapper, Sorted.class, new Sorted(reversed, set), "'map[order]'", "would become null");
        TreeSet<String> caseless = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        caseless.addAll(set);
        assertRefused(mapper, Sorted.class, new Sorted(map, caseless), "'set[order]'");
        encoded(mapper, Maps.class, new Maps(reversed)); // the order of its entries is kept
    }

    record Maps(Map<String, Integer> map) {}

    static class Animal {
        public String name = "";
    }

    static class Cat extends Animal {
        public int lives = 9;
    }

    record Zoo(List<Animal> animals) {}

    @Test
    void aSubclassIsRefusedUnlessTheJsonNamesIt() {
        encoded(mapper, Animal.class, new Animal());
        encoded(mapper, Zoo.class, new Zoo(List.of(new Animal())));
        assertRefused(mapper, Animal.class, new Cat(), "Cat would become a");
        assertRefused(mapper, Zoo.class, new Zoo(List.of(new Cat())), "'animals[]'", "Cat would become a");
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(Object side) implements Shape {}

    record Drawing(List<Shape> shapes) {}

    @Test
    void subclassesThatTheJsonNamesComeBack() {
        encoded(mapper, Drawing.class, new Drawing(List.of(new Circle(1), new Square("a"))));
        encoded(mapper, Shape.class, new Circle(1));
        assertRefused(mapper, Drawing.class, new Drawing(List.of(new Square(5L))), "'shapes[].side' a java.lang.Long");
    }

    /** An entity, which equals another one of the same id. */
    static final class Entity {
        public int id;
        public @Nullable Object payload;

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Entity that && id == that.id;
        }

        @Override
        public int hashCode() {
            return Objects.hash(id);
        }
    }

    @Test
    void objectsThatAreEqualByAPartOfTheirStateAreComparedByAll() {
        Entity entity = new Entity();
        entity.payload = 5L;
        assertRefused(mapper, Entity.class, entity, "'payload' a java.lang.Long");
    }

    record Masked(String number) {

        public String number() {
            return "****";
        }
    }

    @Test
    void aGetterThatReturnsSomethingElseThanItsFieldIsFoundByTheFirstValue() {
        assertRefused(mapper, Masked.class, new Masked(SECRET), "'number' a java.lang.String would not be equal");
    }

    record Times(ZonedDateTime at) {}

    record Formatted(
            @JsonFormat(pattern = "yyyy-MM-dd", timezone = "UTC")
            Date day) {}

    record Dates(Date at, Collection<String> some) {}

    static final class Defaults {
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public @Nullable String name = "default";
    }

    @Test
    void settingsThatLoseSomethingAreFoundByTheValue() {
        ZonedDateTime utc = ZonedDateTime.of(2030, 1, 1, 0, 0, 0, 0, ZoneId.of("UTC"));
        encoded(mapper, Times.class, new Times(utc));
        assertRefused(
                plain,
                Times.class,
                new Times(utc.withZoneSameInstant(ZoneId.of("Europe/Berlin"))),
                "'at' a java.time.ZonedDateTime would not be equal");
        encoded(mapper, Formatted.class, new Formatted(new Date(0)));
        assertRefused(mapper, Formatted.class, new Formatted(new Date(1)), "'day'");
        encoded(mapper, Dates.class, new Dates(new Date(1), List.of("a")));
        assertRefused(mapper, Dates.class, new Dates(new Timestamp(1), List.of("a")), "'at' a java.sql.Timestamp");
        assertRefused(mapper, Dates.class, new Dates(new Date(1), Set.of("a")), "'some'");
        Defaults defaults = new Defaults();
        encoded(mapper, Defaults.class, defaults);
        defaults.name = null;
        assertRefused(mapper, Defaults.class, defaults, "'name' null would become a java.lang.String");
    }

    @Test
    void treesOfJsonComeBack() {
        encoded(mapper, JsonNode.class, mapper.readTree("{\"a\":[1,0.5,null,\"b\"]}"));
        Codec<JsonNode> codec = requireNonNull(new JacksonCodecFactory(mapper).codec(JsonNode.class));
        byte[] json = codec.encode(mapper.createObjectNode().put("count", 5L));
        assertThat(codec.decode(json).path("count").longValue()).isEqualTo(5);
        assertRefused(mapper, JsonNode.class, mapper.createObjectNode().put("bytes", new byte[] {1}), "JsonNode");
    }

    static final class Failing {
        public String getName() {
            throw new IllegalStateException(SECRET);
        }
    }

    static final class Explaining {
        public String getName() {
            throw new CodecException("It has no name; give it one");
        }
    }

    record Nested(@Nullable Nested next) {}

    @Test
    void explanationsOfTheApplicationArePassedOn() {
        assertRefused(mapper, Explaining.class, new Explaining(), "It has no name; give it one");
    }

    @Test
    void messagesHaveAnEnd() {
        Nested nested = new Nested(null);
        for (int i = 0; i < 2_000; i++) {
            nested = new Nested(nested);
        }
        Nested deep = nested;
        Codec<Nested> codec = requireNonNull(new JacksonCodecFactory(mapper).codec(Nested.class));
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> codec.encode(deep))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1_000));
    }

    record Open(Map<String, Integer> numbers) {

        @JsonAnySetter
        void set(String name, int value) {
            throw new IllegalArgumentException(name + value);
        }
    }

    @Test
    void namesThatAreDataAreNotPartOfMessages() {
        Codec<Open> codec = requireNonNull(new JacksonCodecFactory(mapper).codec(Open.class));
        for (String json : List.of("{\"numbers\":{\"hunter2\":\"x\"}}", "{\"hunter2\":1}", "{\"hunter2\":\"x\"}")) {
            assertThatExceptionOfType(CodecException.class)
                    .isThrownBy(() -> codec.decode(json.getBytes(StandardCharsets.UTF_8)))
                    .withMessageNotContaining(SECRET);
        }
    }

    record Part(Map<String, Failing> parts) {}

    @Test
    void messagesSayWhereWithoutValues() {
        assertRefused(
                mapper, Part.class, new Part(Map.of(SECRET, new Failing())), "'parts[].name'", "IllegalStateException");
        Codec<Zoo> codec = requireNonNull(new JacksonCodecFactory(mapper).codec(Zoo.class));
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> codec.decode(("{\"animals\":[\"" + SECRET + "\"]}").getBytes()))
                .withMessageContaining("'animals[]'")
                .withMessageNotContaining(SECRET);
    }
}
