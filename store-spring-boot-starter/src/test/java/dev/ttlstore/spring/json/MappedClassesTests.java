package dev.ttlstore.spring.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;

import dev.ttlstore.Codec;

import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonPOJOBuilder;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** P25: classes whose properties are not their fields come back all the same. */
class MappedClassesTests {

    private final JsonValues values = JsonValues.ofStarter();

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
        assertThat(values.again(cart).getItems()).containsExactly("a");
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
        assertThat(values.again(tagged).getTags()).containsExactly("b", "a");
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
        Hidden again = values.again(Hidden.of("a"));
        assertThat(again.name).isEqualTo("a");
        assertThat(again.uses + again.ignored).isZero();
        assertThat(values.isClosed(Hidden.class)).isTrue();
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
        assertThat(values.again(person)).isEqualTo(person);
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
        private final Map<String, String> more = new LinkedHashMap<>();

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
        assertThat(values.again(new Made("a", 1))).usingRecursiveComparison().isEqualTo(new Made("a", 1));
        assertThat(values.again(new Parameters("a", List.of("b"))).name()).isEqualTo("a");
        assertThat(values.again(new Built.Builder().withName("a").build()).getName())
                .isEqualTo("a");
        Extras extras = new Extras();
        extras.put("a", "b");
        assertThat(values.again(extras).more()).containsExactly(Map.entry("a", "b"));
        assertThat(values.again(new Money(new BigDecimal("1.10")))).isEqualTo(new Money(new BigDecimal("1.10")));
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
        Priced again = values.again(priced);
        assertThat(again.getAmount()).isEqualTo(5);
        assertThat(again.getMore()).containsExactly(6L);
        assertThat(again.getNote()).contains("a");
    }
}
