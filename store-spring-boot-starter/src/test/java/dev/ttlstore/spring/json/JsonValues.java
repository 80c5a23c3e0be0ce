package dev.ttlstore.spring.json;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Values that a mapper writes and reads.
 *
 * @param mapper the mapper
 * @param factory makes codecs, which know of a class what its earlier values have shown
 */
record JsonValues(JsonMapper mapper, JacksonCodecFactory factory) {

    JsonValues(JsonMapper mapper) {
        this(mapper, new JacksonCodecFactory(mapper));
    }

    /** Uses a mapper with the settings of the starter. */
    static JsonValues ofStarter() {
        return new JsonValues(JacksonCodecFactory.defaults().build());
    }

    @SuppressWarnings("unchecked") // of the class of the value
    <V> Codec<V> codec(V value) {
        return requireNonNull(factory.codec((Class<V>) value.getClass()));
    }

    /** Writes a value, and returns what is read. */
    <V> V again(V value) {
        Codec<V> codec = codec(value);
        return codec.decode(codec.encode(value));
    }

    void assertComesBack(Object value) {
        assertThat(again(value)).usingRecursiveComparison().isEqualTo(value);
    }

    void assertRefused(@Nullable Object value, String... facts) {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> codec(requireNonNull(value)).encode(value))
                .satisfies(e -> assertThat(e.getMessage()).contains(facts));
    }

    boolean isClosed(Class<?> type) {
        return isClosed(mapper.constructType(type));
    }

    /** Tests whether a value need not be read back because of its type alone, or because of a look at it. */
    boolean isClosed(JavaType type) {
        return new JsonTypes(mapper).test(type) != ClassTest.FAILS;
    }
}
