package dev.ttlstore.spring.json;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonMerge;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.util.StdConverter;

import static org.junit.jupiter.params.provider.Arguments.arguments;

/** P25: properties that annotations write or read in a way of their own. What they lose depends on the value, so each value is read back. */
class OwnFormatTests {

    private final JsonValues values = JsonValues.ofStarter();

    /** Writes and reads texts without capitals. */
    static final class Lower extends StdConverter<String, String> {
        @Override
        public String convert(String text) {
            return text.toLowerCase(Locale.ROOT);
        }
    }

    static final class LowerWriter extends ValueSerializer<String> {
        @Override
        public void serialize(String text, JsonGenerator json, SerializationContext context) {
            json.writeString(text.toLowerCase(Locale.ROOT));
        }
    }

    static final class LowerKeyWriter extends ValueSerializer<String> {
        @Override
        public void serialize(String text, JsonGenerator json, SerializationContext context) {
            json.writeName(text.toLowerCase(Locale.ROOT));
        }
    }

    static final class LowerReader extends ValueDeserializer<String> {
        @Override
        public String deserialize(JsonParser json, DeserializationContext context) {
            return json.getString().toLowerCase(Locale.ROOT);
        }
    }

    static final class LowerKeyReader extends KeyDeserializer {
        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return key.toLowerCase(Locale.ROOT);
        }
    }

    record Formatted(
            @JsonFormat(pattern = "yyyy-MM-dd HH:mm") LocalDateTime at) {}

    record Written(@JsonSerialize(using = LowerWriter.class) String text) {}

    record ContentWritten(
            @JsonSerialize(contentUsing = LowerWriter.class) List<String> texts) {}

    record KeyWritten(
            @JsonSerialize(keyUsing = LowerKeyWriter.class) Map<String, Integer> map) {}

    record Converted(@JsonSerialize(converter = Lower.class) String text) {}

    record ContentConverted(
            @JsonSerialize(contentConverter = Lower.class) List<String> texts) {}

    record Read(@JsonDeserialize(using = LowerReader.class) String text) {}

    record ContentRead(
            @JsonDeserialize(contentUsing = LowerReader.class)
            List<String> texts) {}

    record KeyRead(
            @JsonDeserialize(keyUsing = LowerKeyReader.class)
            Map<String, Integer> map) {}

    record ConvertedAgain(
            @JsonDeserialize(converter = Lower.class) String text) {}

    record ContentConvertedAgain(
            @JsonDeserialize(contentConverter = Lower.class) List<String> texts) {}

    record Name(String first, @Nullable String last) {}

    record Without(@JsonIgnoreProperties("last") Name name) {}

    record With(@JsonIncludeProperties("first") Name name) {}

    record Filled(
            @JsonInclude(content = JsonInclude.Include.NON_NULL)
            Map<String, @Nullable String> map) {}

    record NotEmpty(
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable
            List<String> texts) {}

    /** What is not written keeps the value that the constructor has set. */
    static final class NotNull {
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public @Nullable String text = "default";

        static NotNull of(@Nullable String text) {
            NotNull created = new NotNull();
            created.text = text;
            return created;
        }
    }

    /** What is read is added to what the constructor has set. */
    static final class Merged {
        @JsonMerge
        public List<String> texts = new ArrayList<>(List.of("default"));

        static Merged of(String... texts) {
            Merged created = new Merged();
            created.texts = new ArrayList<>(Arrays.asList(texts));
            return created;
        }
    }

    static Stream<Arguments> annotated() {
        Map<String, @Nullable String> none = new HashMap<>();
        none.put("key", null);
        return Stream.of(
                arguments(
                        new Formatted(LocalDateTime.of(2030, 1, 1, 12, 30)),
                        new Formatted(LocalDateTime.of(2030, 1, 1, 12, 30, 1))),
                arguments(new Written("a"), new Written("A")),
                arguments(new ContentWritten(List.of("a")), new ContentWritten(List.of("A"))),
                arguments(new KeyWritten(Map.of("a", 1)), new KeyWritten(Map.of("A", 1))),
                arguments(new Converted("a"), new Converted("A")),
                arguments(new ContentConverted(List.of("a")), new ContentConverted(List.of("A"))),
                arguments(new Read("a"), new Read("A")),
                arguments(new ContentRead(List.of("a")), new ContentRead(List.of("A"))),
                arguments(new KeyRead(Map.of("a", 1)), new KeyRead(Map.of("A", 1))),
                arguments(new ConvertedAgain("a"), new ConvertedAgain("A")),
                arguments(new ContentConvertedAgain(List.of("a")), new ContentConvertedAgain(List.of("A"))),
                arguments(new Without(new Name("Ann", null)), new Without(new Name("Ann", "Lee"))),
                arguments(new With(new Name("Ann", null)), new With(new Name("Ann", "Lee"))),
                arguments(new Filled(Map.of("key", "a")), new Filled(none)),
                arguments(new NotEmpty(List.of("a")), new NotEmpty(List.of())),
                arguments(NotNull.of("a"), NotNull.of(null)),
                arguments(Merged.of(), Merged.of("a")));
    }

    @ParameterizedTest
    @MethodSource("annotated")
    void aValueThatLosesSomethingIsRefusedAlsoAfterOneThatDoesNot(Object same, Object changed) {
        if (!(same instanceof Merged)) {
            values.assertComesBack(same);
        }
        values.assertRefused(changed, "would");
    }
}
