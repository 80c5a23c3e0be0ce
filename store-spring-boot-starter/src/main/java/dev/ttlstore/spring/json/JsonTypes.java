package dev.ttlstore.spring.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.CodecException;

import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.UnknownSerializer;

/**
 * Says of types whether a mapper gives back what it writes. A type is closed if that follows from the type alone: it consists of values
 * of Java, of enums, and of classes that cannot be extended and whose whole state is written and set. Other types are open, and values
 * of them have to be read back. A class with state that the mapper does not see is refused. Thread-safe.
 */
final class JsonTypes {

    /** Collections that any list or set equals, whatever its class. */
    private static final Set<Class<?>> COLLECTIONS =
            Set.of(List.class, ArrayList.class, LinkedList.class, Set.class, HashSet.class, LinkedHashSet.class);

    private static final Set<Class<?>> MAPS = Set.of(Map.class, HashMap.class, LinkedHashMap.class);

    private final JsonMapper mapper;
    private final JsonSamples samples;
    private final ReadBack readBack = new ReadBack(this);
    private final ConcurrentMap<JavaType, Optional<BeanState>> beans = new ConcurrentHashMap<>();

    JsonTypes(JsonMapper mapper) {
        this.mapper = mapper;
        this.samples = new JsonSamples(mapper);
    }

    ReadBack readBack() {
        return readBack;
    }

    /**
     * Tests whether a type is closed. Values of a class that can be extended are those of the class itself.
     *
     * @throws CodecException if the mapper does not see the state of a class that belongs to the type
     */
    boolean isClosed(JavaType type) {
        return isClosed(type, true, new HashSet<>());
    }

    private boolean isClosed(JavaType type, boolean exact, Set<JavaType> seen) {
        if (!seen.add(type)) {
            return true; // as the other place says
        }
        Class<?> raw = type.getRawClass();
        ValueSerializer<?> serializer;
        ValueDeserializer<?> deserializer;
        try {
            serializer = writing().findValueSerializer(type);
            deserializer = reading().findContextualValueDeserializer(type, null);
        } catch (DatabindException e) { // of types, not values
            throw new CodecException(
                    "A " + type.toCanonical() + " cannot be stored as JSON: " + e.getOriginalMessage());
        }
        if (samples.has(raw)) {
            return isJacksons(serializer) && isJacksons(deserializer) && samples.comeBack(type);
        } else if (type.isContainerType()) {
            return isClosedContainer(type, seen) && isJacksons(serializer) && isJacksons(deserializer);
        } else if (type.isReferenceType()) {
            return isClosed(type.getContentType(), false, seen) & raw == Optional.class;
        }
        Optional<BeanState> state = state(type, serializer, deserializer);
        return state.isPresent() && isClosed(state.get(), seen) && (exact || type.isFinal());
    }

    /** Looks at all parts, also after an open one, because one may have to be refused. */
    private boolean isClosedContainer(JavaType type, Set<JavaType> seen) {
        boolean closed = isClosed(type.getContentType(), false, seen);
        if (type.isMapLikeType()) {
            boolean keys = samples.comeBackAsKeys(type.getKeyType());
            return closed && keys && MAPS.contains(type.getRawClass());
        }
        return closed && (type.isArrayType() || COLLECTIONS.contains(type.getRawClass()));
    }

    private boolean isClosed(BeanState state, Set<JavaType> seen) {
        boolean closed = state.isClosed();
        for (JavaType part : state.parts()) {
            closed &= isClosed(part, false, seen);
        }
        return closed;
    }

    /**
     * Returns the state of a class that the mapper maps property by property; empty if it does otherwise, or is told how by a mix-in.
     *
     * @throws CodecException if the mapper does not see a part of the state
     */
    Optional<BeanState> state(Class<?> type) {
        JavaType java = mapper.constructType(type);
        Optional<BeanState> known = beans.get(java);
        if (known != null) {
            return known;
        }
        try {
            return state(
                    java, writing().findValueSerializer(java), reading().findContextualValueDeserializer(java, null));
        } catch (DatabindException e) {
            return Optional.empty(); // it was written and read, so a declared type has said how
        }
    }

    private Optional<BeanState> state(JavaType type, ValueSerializer<?> serializer, ValueDeserializer<?> deserializer) {
        Optional<BeanState> known = beans.get(type);
        if (known != null) {
            return known;
        }
        Optional<BeanState> state = Optional.ofNullable(look(type, serializer, deserializer));
        beans.put(type, state);
        return state;
    }

    private @Nullable BeanState look(JavaType type, ValueSerializer<?> serializer, ValueDeserializer<?> deserializer) {
        Class<?> raw = type.getRawClass();
        if (type.isAbstract()
                || type.isEnumType()
                || JavaClasses.contain(raw)
                || mapper.serializationConfig().findMixInClassFor(raw) != null
                || !(deserializer instanceof BeanDeserializerBase reader)) {
            return null;
        }
        BeanSerializerBase bean = serializer instanceof BeanSerializerBase some ? some : null;
        return bean == null && !(serializer instanceof UnknownSerializer)
                ? null
                : new BeanLook(type, bean, reader, writing(), reading()).state();
    }

    private static boolean isJacksons(Object part) {
        return part.getClass().getName().startsWith("tools.jackson.databind.");
    }

    private SerializationContext writing() {
        return mapper._serializationContext();
    }

    private DeserializationContext reading() {
        return mapper._deserializationContext();
    }
}
