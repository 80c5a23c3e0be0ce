package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
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
 * of Java, of enums, and of classes whose whole state is written and set. Other types are open, and values of them have to be read back,
 * as have objects of subclasses. A class with state that the mapper does not see is refused. Thread-safe.
 */
final class JsonTypes {

    /** Collections that any list or set equals, whatever its class. */
    private static final Set<Class<?>> COLLECTIONS =
            Set.of(List.class, ArrayList.class, LinkedList.class, Set.class, HashSet.class, LinkedHashSet.class);

    private static final Set<Class<?>> MAPS = Set.of(Map.class, HashMap.class, LinkedHashMap.class);

    private final JsonMapper mapper;
    private final JsonSamples samples;
    private final ReadBack readBack = new ReadBack(this);
    private final PlainAccessors accessors = new PlainAccessors();
    private final ConcurrentMap<JavaType, Optional<BeanState>> beans = new ConcurrentHashMap<>();

    JsonTypes(JsonMapper mapper) {
        this.mapper = mapper;
        this.samples = new JsonSamples(mapper);
    }

    ReadBack readBack() {
        return readBack;
    }

    /**
     * Returns a test of values of a type, which those pass that need not be read back.
     *
     * @throws CodecException if the mapper does not see the state of a class that belongs to the type
     */
    ClassTest test(JavaType type) {
        Walk walk = new Walk();
        ClassTest test = walk.test(type);
        if (walk.open) {
            return ClassTest.FAILS;
        }
        return walk.depends ? test : ClassTest.PASSES;
    }

    /** A walk through a type and its parts. It looks at all, also after an open one, because one may have to be refused. */
    private final class Walk {

        private final Map<JavaType, ClassTest> tests = new HashMap<>();
        private boolean open;
        private boolean depends;

        ClassTest test(JavaType type) {
            ClassTest known = tests.get(type);
            if (known != null) {
                return known;
            }
            tests.put(type, ClassTest.PASSES);
            ClassTest test = find(type);
            tests.put(type, test);
            return test;
        }

        private ClassTest find(JavaType type) {
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
            boolean jacksons = isJacksons(serializer) && isJacksons(deserializer);
            if (samples.has(raw)) {
                open |= !(jacksons && samples.comeBack(type));
                return dependent(JavaValueChecks.of(raw));
            } else if (type.isReferenceType()) {
                open |= !(jacksons && comesBack(type));
                return dependent(JavaValueChecks.present(ClassTest.ofElements(test(type.getContentType()))));
            } else if (type.isContainerType()) {
                open |= !(jacksons && comesBack(type));
                ClassTest keys = type.isMapLikeType()
                        ? dependent(JavaValueChecks.ofKey(type.getKeyType().getRawClass()))
                        : ClassTest.PASSES;
                return ClassTest.ofElements(keys, test(type.getContentType()));
            }
            Optional<BeanState> state = state(type, serializer, deserializer);
            if (state.isEmpty()) {
                open = true;
                return ClassTest.FAILS;
            }
            return test(type, state.get());
        }

        private ClassTest dependent(ClassTest test) {
            depends |= test != ClassTest.PASSES;
            return test;
        }

        private boolean comesBack(JavaType type) {
            Class<?> raw = type.getRawClass();
            if (type.isMapLikeType()) {
                return MAPS.contains(raw) && samples.comeBackAsKeys(type.getKeyType());
            }
            return type.isArrayType() || raw == Optional.class || COLLECTIONS.contains(raw);
        }

        private ClassTest test(JavaType type, BeanState state) {
            open |= !state.isClosed();
            depends |= !type.isFinal();
            ClassTest.OfObject test = new ClassTest.OfObject(type.getRawClass());
            tests.put(type, test);
            state.parts().forEach(this::test);
            List<ClassTest.OfField> fields = new ArrayList<>();
            for (Field field : state.fields()) {
                ClassTest inner = test(TypesOfFields.of(field, type, mapper.getTypeFactory()));
                if (inner != ClassTest.PASSES) {
                    fields.add(new ClassTest.OfField(field, inner));
                }
            }
            test.setFields(fields);
            return test;
        }
    }

    /**
     * Returns the state of a class that the mapper maps property by property; empty if it does otherwise, or if a mix-in says how.
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
                : new FieldCheck(type, bean, reader, writing(), reading(), accessors).state();
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
