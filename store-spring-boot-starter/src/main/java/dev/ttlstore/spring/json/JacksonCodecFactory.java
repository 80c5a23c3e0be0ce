package dev.ttlstore.spring.json;

import java.lang.reflect.Type;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.TypeRef;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * Creates codecs that encode values as JSON in UTF-8. They store only values that they can give back. Thread-safe.
 *
 * <pre>{@code
 * Store store = Store.builder()
 *         .path(Path.of("data/store.db"))
 *         .codecs(new JacksonCodecFactory(JacksonCodecFactory.defaults().build()))
 *         .open();
 * }</pre>
 *
 * <p>The first write of a type checks its classes. It refuses a class with state that the mapper does not write or
 * set, and it reads the first value back. Some types do not say what their values consist of, such as {@code Object},
 * interfaces and subclasses. Their codecs read each value back and compare it before they store it.
 *
 * @since 0.1
 * @see StoreJson
 * @see Codec
 */
public final class JacksonCodecFactory implements CodecFactory {

    /** Null and the node for JSON's null are two values. Only the node is written. */
    private static final JsonInclude.Value ABSENT_NOT_NULL =
            JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS);

    private final JsonMapper mapper;
    private final JsonTypes types;
    private final ConcurrentMap<Type, Codec<?>> codecs = new ConcurrentHashMap<>();

    /**
     * Creates the factory.
     *
     * @param mapper the mapper that reads and writes JSON
     */
    public JacksonCodecFactory(JsonMapper mapper) {
        this.mapper = mapper;
        this.types = new JsonTypes(mapper);
    }

    /**
     * Returns a builder with the starter's settings: Jackson's defaults, all modules on the class path, and these:
     * <ul>
     *   <li>Values come back as they were: private fields and collections that have only a getter are part of a value, times
     *       keep their offset and zone, enums are written by name, and numbers and keys of maps may have any length.
     *   <li>Values that other versions of a class wrote can be read: properties that the class no longer has are ignored, and
     *       missing properties are null, zero or false.
     * </ul>
     *
     * @return a builder, to customize and build
     */
    public static JsonMapper.Builder defaults() {
        return ExactJson.builder()
                .findAndAddModules(ClassUtils.getDefaultClassLoader())
                .changeDefaultVisibility(visible -> new OwnFields())
                .enable(MapperFeature.USE_GETTERS_AS_SETTERS)
                .addModule(new SimpleModule("ttl-store-getters").setDeserializerModifier(new GettersOfState()))
                .withConfigOverride(JsonNode.class, node -> node.setInclude(ABSENT_NOT_NULL))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    }

    @Override
    public <V> @Nullable Codec<V> codec(Class<V> type) {
        return codec((Type) type);
    }

    @Override
    public <V> @Nullable Codec<V> codec(TypeRef<V> type) {
        return codec(type.type());
    }

    /** Returns the only codec of a type, because it remembers what it has seen of the type. */
    @SuppressWarnings("unchecked") // the type says what its codec takes
    private <V> Codec<V> codec(Type type) {
        return (Codec<V>) codecs.computeIfAbsent(type, each -> new JsonCodec<>(each, mapper, types));
    }
}
