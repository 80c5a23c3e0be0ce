package dev.ttlstore.spring.json;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.TypeRef;
import dev.ttlstore.exception.CodecException;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Creates codecs that encode values as JSON in UTF-8. Thread-safe. */
public final class JacksonCodecFactory implements CodecFactory {

    private final JsonMapper mapper;

    /**
     * Creates the factory.
     *
     * @param mapper the mapper that reads and writes JSON
     */
    public JacksonCodecFactory(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * Returns a builder with the starter's settings: Jackson's defaults, all modules on the class path, and tolerance
     * for values that other versions of a class have written. Properties that the class no longer has are ignored.
     * Properties that are missing are null, zero or false.
     *
     * @return a builder, to customize and build
     */
    public static JsonMapper.Builder defaults() {
        return JsonMapper.builder()
                .findAndAddModules(ClassUtils.getDefaultClassLoader())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    }

    @Override
    public <V> @Nullable Codec<V> codec(Class<V> type) {
        return new JsonCodec<>(type, mapper.readerFor(type), mapper.writerFor(type));
    }

    @Override
    public <V> @Nullable Codec<V> codec(TypeRef<V> type) {
        JavaType generic = mapper.constructType(type.type());
        return new JsonCodec<>(type.type(), mapper.readerFor(generic), mapper.writerFor(generic));
    }

    private record JsonCodec<V>(Type type, ObjectReader reader, ObjectWriter writer) implements Codec<V> {

        @Override
        public byte[] encode(V value) {
            try {
                return writer.writeValueAsBytes(value);
            } catch (JacksonException e) {
                throw failure("cannot be written as JSON", e);
            }
        }

        @Override
        public V decode(byte[] bytes) {
            V value;
            try {
                value = reader.readValue(bytes);
            } catch (JacksonException e) {
                throw failure("cannot be read from the stored JSON", e);
            }
            if (value == null) {
                throw new CodecException("A " + type.getTypeName() + " cannot be read from the stored JSON null");
            }
            return value;
        }

        /** Omits the cause and its message, because they quote the value. */
        private CodecException failure(String what, JacksonException e) {
            return new CodecException(
                    "A " + type.getTypeName() + " " + what + " (" + e.getClass().getSimpleName()
                            + "); keep the class able to read what earlier versions of it wrote");
        }
    }
}
