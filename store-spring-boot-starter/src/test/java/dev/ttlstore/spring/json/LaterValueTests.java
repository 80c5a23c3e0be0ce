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

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.node.NullNode;

import static org.assertj.core.api.Assertions.assertThat;

/** P25: that the first value of a class has come back does not say that a later one does. */
class LaterValueTests {

    private final JsonValues values = JsonValues.ofStarter();

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
        values.assertComesBack(new Person("ann", "a"));
        values.assertRefused(new Person("ann", null), "at 'nick' null would become a java.lang.String");
        values.assertComesBack(new Tagged(List.of("a")));
        values.assertRefused(new Tagged(null), "at 'tags' null would become");
    }

    /** Has getters with all kinds of code. */
    static final class Coded {
        private int few;
        private int many;
        private byte @Nullable [] bytes = {};
        private int @Nullable [][] grid = {};

        static Coded of(int few, int many, byte @Nullable [] bytes, int @Nullable [][] grid) {
            Coded created = new Coded();
            created.few = few;
            created.many = many;
            created.bytes = bytes;
            created.grid = grid;
            return created;
        }

        public int getFew() {
            return switch (few) {
                case 1, 2, 3 -> 7;
                default -> few;
            };
        }

        public int getMany() {
            return switch (many) {
                case 1, 1_000_000 -> 7;
                default -> many;
            };
        }

        public byte[] getBytes() {
            return bytes == null ? new byte[100] : bytes;
        }

        public int[][] getGrid() {
            return grid == null ? new int[2][2] : grid;
        }
    }

    @Test
    void whatAGetterDoesBesideReturningItsFieldIsFoundInItsCode() {
        values.assertComesBack(Coded.of(0, 0, new byte[1], new int[1][1]));
        values.assertRefused(Coded.of(2, 0, new byte[1], new int[1][1]), "at 'few'");
        values.assertRefused(Coded.of(0, 1_000_000, new byte[1], new int[1][1]), "at 'many'");
        values.assertRefused(Coded.of(0, 0, null, new int[1][1]), "at 'bytes'");
        values.assertRefused(Coded.of(0, 0, new byte[1], null), "at 'grid'");
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
        values.assertComesBack(Trimmed.of("a"));
        values.assertRefused(Trimmed.of(" a "), "at 'text' a java.lang.String would not be equal");
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
                .allMatch(values::isClosed);
        assertThat(new JsonTypes(values.mapper()).test(values.mapper().constructType(Plain.class)))
                .isSameAs(ClassTest.PASSES);
    }

    record Optionals(
            @Nullable Optional<String> some, @Nullable OptionalLong number) {}

    record Listed(List<Optional<String>> some) {}

    @Test
    void anOptionalThatIsNullIsNotAnEmptyOne() {
        values.assertComesBack(new Optionals(Optional.empty(), OptionalLong.of(1)));
        values.assertRefused(new Optionals(null, OptionalLong.empty()), "at 'some' null would become");
        values.assertRefused(new Optionals(Optional.of("a"), null), "at 'number' null would become");
        values.assertComesBack(new Listed(List.of(Optional.empty())));
        values.assertRefused(new Listed(Collections.singletonList(null)), "at 'some[]' null would become");
    }

    record Payload(@Nullable JsonNode json) {}

    @Test
    void aTreeOfJsonMayBeNullOrTheNodeForNull() {
        values.assertComesBack(new Payload(null));
        values.assertComesBack(new Payload(NullNode.getInstance()));
    }

    record Odd(Map<String, String> map, Locale locale, BigDecimal number) {}

    @Test
    void theFewValuesOfJavaThatDoNotComeBackAreRefused() {
        BigDecimal one = BigDecimal.ONE;
        values.assertComesBack(new Odd(Map.of("🌦", "\ud800"), Locale.forLanguageTag("de-DE-u-co-phonebk"), one));
        values.assertRefused(new Odd(Map.of("a\ud800b", ""), Locale.ROOT, one), "at 'map'");
        values.assertRefused(new Odd(Map.of("\udc00", ""), Locale.ROOT, one), "at 'map'");
        values.assertRefused(new Odd(Map.of(), new Locale("no", "NO", "NY"), one), "at 'locale'");
        values.assertRefused(
                new Odd(Map.of(), Locale.ROOT, new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE)), "at 'number'");
    }

    record Filled(
            @JsonSetter(nulls = Nulls.AS_EMPTY) @Nullable List<String> list) {}

    record Skipping(@JsonSetter(contentNulls = Nulls.SKIP) List<@Nullable String> list) {}

    @Test
    void annotationsMayReplaceNull() {
        values.assertComesBack(new Filled(List.of()));
        values.assertRefused(new Filled(null), "at 'list' null would become");
        values.assertComesBack(new Skipping(List.of("a")));
        values.assertRefused(new Skipping(Arrays.asList("a", null)), "at 'list'");
    }

    record Rule(Pattern pattern, AtomicReference<Object> last, AtomicLong count) {}

    record Outcome(Exception failure) {}

    @Test
    void classesOfJavaWithoutEqualsAreCompared() {
        Pattern pattern = Pattern.compile("a");
        values.codec(new Rule(pattern, new AtomicReference<>("a"), new AtomicLong(1)))
                .encode(new Rule(pattern, new AtomicReference<>("a"), new AtomicLong(1)));
        values.assertRefused(
                new Rule(Pattern.compile("a", Pattern.CASE_INSENSITIVE), new AtomicReference<>(), new AtomicLong()),
                "at 'pattern' a java.util.regex.Pattern would not be equal");
        values.assertRefused(
                new Rule(pattern, new AtomicReference<>(1L), new AtomicLong()),
                "at 'last' a java.lang.Long would become a java.lang.Integer");
        values.codec(new Outcome(new Exception("a"))).encode(new Outcome(new Exception("a")));
        values.assertRefused(
                new Outcome(new Exception("a", new IllegalStateException("b"))),
                "at 'failure.cause' a java.lang.IllegalStateException would become a java.lang.Throwable");
    }

    record Waiting(Deque<String> stack, Queue<Integer> queue) {}

    @Test
    void aDequeMayBeOfAnotherClassAndAPriorityQueueMayNot() {
        Waiting read = values.codec(new Waiting(new ArrayDeque<>(), new ArrayDeque<>()))
                .decode(values.codec(new Waiting(new ArrayDeque<>(), new ArrayDeque<>()))
                        .encode(new Waiting(new ArrayDeque<>(List.of("a", "b")), new ArrayDeque<>(List.of(2, 1)))));
        assertThat(read.stack()).containsExactly("a", "b");
        assertThat(read.queue()).containsExactly(2, 1);
        values.assertRefused(new Waiting(new ArrayDeque<>(), new PriorityQueue<>(List.of(2, 1))), "at 'queue'");
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
        values.assertRefused(
                new Guarded().add("a"), "at 'items[]'", "is no setter", "a constructor with all of its state");
        values.assertRefused(new Computing(), "at 'first'", "annotate it with @JsonIgnore");
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
        values.assertComesBack(open);
        assertThat(new String(values.codec(open).encode(open), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":\"b\"}");
        open.unseen.put("c", "d");
        values.assertRefused(open, "at 'unseen'");
    }
}
