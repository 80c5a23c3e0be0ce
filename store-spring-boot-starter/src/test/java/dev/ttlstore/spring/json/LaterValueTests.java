package dev.ttlstore.spring.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** P25: that the first value of a class has come back does not say that a later one does. */
class LaterValueTests {

    private final JsonMapper mapper = JacksonCodecFactory.defaults().build();
    private final JacksonCodecFactory factory = new JacksonCodecFactory(mapper);

    private <V> Codec<V> codec(V value) {
        @SuppressWarnings("unchecked") // of the class of the value
        Class<V> type = (Class<V>) value.getClass();
        return requireNonNull(factory.codec(type));
    }

    private <V> void assertComesBack(V value) {
        assertThat(codec(value).decode(codec(value).encode(value)))
                .usingRecursiveComparison()
                .isEqualTo(value);
    }

    private <V> void assertRefused(V value, String... facts) {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> codec(value).encode(value))
                .satisfies(e -> assertThat(e.getMessage()).contains(facts));
    }

    static final class Person {
        private @Nullable String name;
        private @Nullable String nick;

        Person() {}

        Person(String name, @Nullable String nick) {
            this.name = name;
            this.nick = nick;
        }

        public @Nullable String getName() {
            return name;
        }

        public @Nullable String getNick() {
            return nick == null ? name : nick;
        }
    }

    record Tagged(@Nullable List<String> tags) {
        @Override
        public List<String> tags() {
            return tags == null ? List.of() : tags;
        }
    }

    @Test
    void aGetterMayAnswerSomethingElseThanItsFieldNowAndThen() {
        assertComesBack(new Person("ann", "a"));
        assertRefused(new Person("ann", null), "at 'nick' null would become a java.lang.String");
        assertComesBack(new Tagged(List.of("a")));
        assertRefused(new Tagged(null), "at 'tags' null would become");
    }

    static final class Trimmed {
        private String text = "";

        static Trimmed of(String text) {
            Trimmed made = new Trimmed();
            made.text = text;
            return made;
        }

        public String getText() {
            return text;
        }

        public void setText(String text) {
            this.text = text.trim();
        }
    }

    @Test
    void aSetterMaySetSomethingElse() {
        assertComesBack(Trimmed.of("a"));
        assertRefused(Trimmed.of(" a "), "at 'text' a java.lang.String would not be equal");
    }

    static class Fluent {
        private String name = "";
        private long number;

        public String getName() {
            return name;
        }

        public Fluent setName(String name) {
            this.name = name;
            return this;
        }

        public long getNumber() {
            return number;
        }

        public void setNumber(long number) {
            this.number = number;
        }
    }

    static final class Derived extends Fluent {}

    record Plain(String name, long number) {}

    @JsonDeserialize(builder = Built.Builder.class)
    static final class Built {
        private final String name;

        private Built(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }

        static final class Builder {
            private String first = "";

            public Builder withName(String name) {
                this.first = name;
                return this;
            }

            public Built build() {
                return new Built(first);
            }
        }
    }

    @Test
    void valuesOfClassesWithPlainAccessorsAreNotReadBack() {
        assertThat(List.of(Fluent.class, Derived.class, Plain.class, Built.class))
                .allMatch(type -> new JsonTypes(mapper).test(mapper.constructType(type)) != ClassTest.FAILS);
        assertThat(new JsonTypes(mapper).test(mapper.constructType(Plain.class)))
                .isSameAs(ClassTest.PASSES);
    }

    record Optionals(
            @Nullable Optional<String> some, @Nullable OptionalLong number) {}

    record Listed(List<Optional<String>> some) {}

    @Test
    void anOptionalThatIsNullIsNotAnEmptyOne() {
        assertComesBack(new Optionals(Optional.empty(), OptionalLong.of(1)));
        assertRefused(new Optionals(null, OptionalLong.empty()), "at 'some' null would become");
        assertRefused(new Optionals(Optional.of("a"), null), "at 'number' null would become");
        assertComesBack(new Listed(List.of(Optional.empty())));
        assertRefused(new Listed(Collections.singletonList(null)), "at 'some[]' null would become");
    }

    record Payload(@Nullable JsonNode json) {}

    @Test
    void aTreeOfJsonMayBeNullOrTheNodeForNull() {
        assertComesBack(new Payload(null));
        assertComesBack(new Payload(NullNode.getInstance()));
    }

    record Odd(Map<String, String> map, Locale locale, BigDecimal number) {}

    @Test
    void theFewValuesOfJavaThatDoNotComeBackAreRefused() {
        BigDecimal one = BigDecimal.ONE;
        assertComesBack(new Odd(Map.of("🌦", "\ud800"), Locale.forLanguageTag("de-DE-u-co-phonebk"), one));
        assertRefused(new Odd(Map.of("a\ud800b", ""), Locale.ROOT, one), "at 'map'");
        assertRefused(new Odd(Map.of("\udc00", ""), Locale.ROOT, one), "at 'map'");
        assertRefused(new Odd(Map.of(), new Locale("no", "NO", "NY"), one), "at 'locale'");
        assertRefused(new Odd(Map.of(), Locale.ROOT, new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE)), "at 'number'");
    }

    record Filled(
            @JsonSetter(nulls = Nulls.AS_EMPTY) @Nullable List<String> list) {}

    record Skipping(@JsonSetter(contentNulls = Nulls.SKIP) List<@Nullable String> list) {}

    @Test
    void annotationsMayReplaceNull() {
        assertComesBack(new Filled(List.of()));
        assertRefused(new Filled(null), "at 'list' null would become");
        assertComesBack(new Skipping(List.of("a")));
        assertRefused(new Skipping(Arrays.asList("a", null)), "at 'list'");
    }

    record Rule(Pattern pattern, AtomicReference<Object> last, AtomicLong count) {}

    record Outcome(Exception failure) {}

    @Test
    void classesOfJavaWithoutEqualsAreCompared() {
        Pattern pattern = Pattern.compile("a");
        codec(new Rule(pattern, new AtomicReference<>("a"), new AtomicLong(1)))
                .encode(new Rule(pattern, new AtomicReference<>("a"), new AtomicLong(1)));
        assertRefused(
                new Rule(Pattern.compile("a", Pattern.CASE_INSENSITIVE), new AtomicReference<>(), new AtomicLong()),
                "at 'pattern' a java.util.regex.Pattern would not be equal");
        assertRefused(
                new Rule(pattern, new AtomicReference<>(1L), new AtomicLong()),
                "at 'last' a java.lang.Long would become a java.lang.Integer");
        codec(new Outcome(new Exception("a"))).encode(new Outcome(new Exception("a")));
        assertRefused(
                new Outcome(new Exception("a", new IllegalStateException("b"))),
                "at 'failure.cause' a java.lang.IllegalStateException would become a java.lang.Throwable");
    }

    record Waiting(Deque<String> stack, Queue<Integer> queue) {}

    @Test
    void aDequeMayBeOfAnotherClassAndAPriorityQueueMayNot() {
        Waiting read = codec(new Waiting(new ArrayDeque<>(), new ArrayDeque<>()))
                .decode(codec(new Waiting(new ArrayDeque<>(), new ArrayDeque<>()))
                        .encode(new Waiting(new ArrayDeque<>(List.of("a", "b")), new ArrayDeque<>(List.of(2, 1)))));
        assertThat(read.stack()).containsExactly("a", "b");
        assertThat(read.queue()).containsExactly(2, 1);
        assertRefused(new Waiting(new ArrayDeque<>(), new PriorityQueue<>(List.of(2, 1))), "at 'queue'");
    }

    static final class Guarded {
        private final List<String> items = new ArrayList<>();

        Guarded add(String item) {
            items.add(item);
            return this;
        }

        public List<String> getItems() {
            return Collections.unmodifiableList(items);
        }
    }

    static final class Computing {
        public List<String> all = List.of();

        public String getFirst() {
            throw new NoSuchElementException("hunter2");
        }
    }

    @Test
    void messagesSayWhatToDoAboutGetters() {
        assertRefused(new Guarded().add("a"), "at 'items[]'", "is no setter", "a constructor with all of its state");
        assertRefused(new Computing(), "at 'first'", "annotate it with @JsonIgnore");
    }

    static final class Open {
        private final Map<String, String> other = new TreeMap<>();
        private final Map<String, String> unseen = new TreeMap<>();

        @JsonAnyGetter
        public Map<String, String> any() {
            return other;
        }

        @JsonAnySetter
        public void set(String key, String value) {
            other.put(key, value);
        }
    }

    @Test
    void aMapWhoseEntriesArePropertiesIsWrittenOnce() {
        Open open = new Open();
        open.set("a", "b");
        assertComesBack(open);
        assertThat(new String(codec(open).encode(open), StandardCharsets.UTF_8)).isEqualTo("{\"a\":\"b\"}");
        open.unseen.put("c", "d");
        assertRefused(open, "at 'unseen'");
    }
}
