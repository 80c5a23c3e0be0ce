package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import dev.ttlstore.exception.CodecException;

import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.type.TypeFactory;
import tools.jackson.databind.util.ClassUtil;

/**
 * Compares the fields of a class with the properties that a mapper writes and sets. Any other field must belong to a property of another
 * name and the same type. Otherwise the class is refused.
 */
final class FieldCheck {

    private final JavaType type;
    private final BeanDescription description;
    private final IgnoredFields leftOut;
    private final PropertyRules rules;
    private final ValueInstantiator creation;
    private final TypeFactory factory;
    private final PlainAccessors accessors;

    /** The properties that are written and set, by the names that the class has for them. */
    private final Map<String, BeanPropertyWriter> both = new HashMap<>();

    private final IdentityHashMap<BeanPropertyWriter, SettableBeanProperty> setters = new IdentityHashMap<>();

    /** The properties that are written and not set. */
    private final Set<String> written = new HashSet<>();

    private final List<JavaType> parts = new ArrayList<>();
    private boolean closed = true;

    /** Looks at a class; the serializer is null if it writes nothing. */
    FieldCheck(
            JavaType type,
            @Nullable BeanSerializerBase serializer,
            BeanDeserializerBase deserializer,
            SerializationContext writing,
            DeserializationContext reading,
            PlainAccessors accessors) {
        this.type = type;
        this.description = writing.introspectBeanDescription(type, writing.introspectClassAnnotations(type));
        BeanDescription read = reading.introspectBeanDescription(type, reading.introspectClassAnnotations(type));
        this.leftOut = new IgnoredFields(description, read, writing.getConfig());
        this.rules = new PropertyRules(description, writing.getConfig());
        this.creation = deserializer.getValueInstantiator();
        this.factory = writing.getTypeFactory();
        this.accessors = accessors;
        collect(serializer, deserializer);
    }

    private void collect(@Nullable BeanSerializerBase serializer, BeanDeserializerBase deserializer) {
        if (serializer == null) {
            return;
        }
        closed = !serializer.usesObjectId() && description.findAnyGetter() == null;
        Map<String, String> names = new HashMap<>();
        for (BeanPropertyDefinition property : description.findProperties()) {
            names.put(property.getName(), property.getInternalName());
        }
        for (Iterator<PropertyWriter> all = serializer.properties(); all.hasNext(); ) {
            if (all.next() instanceof BeanPropertyWriter writer) {
                collect(writer, names.getOrDefault(writer.getName(), writer.getName()), deserializer);
            }
        }
    }

    private void collect(BeanPropertyWriter writer, String name, BeanDeserializerBase deserializer) {
        SettableBeanProperty setter = setter(deserializer, writer.getName());
        if (setter == null && !writer.isUnwrapping()) {
            written.add(name);
            return;
        }
        both.put(name, writer);
        if (setter != null) {
            setters.put(writer, setter);
        }
        if (setter == null || !rules.isPlain(writer, setter)) {
            closed = false;
        }
        if (!rules.hasOwnFormat(writer, setter)) {
            parts.add(writer.getType());
        }
    }

    private static @Nullable SettableBeanProperty setter(BeanDeserializerBase deserializer, String name) {
        SettableBeanProperty found = deserializer.findProperty(new PropertyName(name));
        if (found == null) {
            for (Iterator<SettableBeanProperty> all = deserializer.creatorProperties(); all.hasNext(); ) {
                SettableBeanProperty each = all.next();
                if (each.getName().equals(name)) {
                    return each;
                }
            }
        }
        return found;
    }

    /**
     * Returns the state.
     *
     * @throws CodecException if a part of it is not written or not set, or the mapper cannot create objects
     */
    BeanState state() {
        requireCreator();
        List<Field> fields = new ArrayList<>();
        List<Field> doubtful = new ArrayList<>();
        Class<?> each = type.getRawClass();
        for (; each != null && !JavaClasses.contain(each); each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (IgnoredFields.isState(field) && !leftOut.has(field)) {
                    BeanPropertyWriter property = both.remove(field.getName());
                    if (property == null) {
                        doubtful.add(field);
                        continue;
                    }
                    closed &= accessors.access(field, property, setters.get(property));
                    if (isOfTheSame(TypesOfFields.of(field, type, factory), property.getType())) {
                        fields.add(field);
                    }
                }
            }
        }
        doubtful.forEach(field -> requireProperty(field));
        fields.addAll(doubtful);
        boolean accessible = true;
        for (Field field : fields) {
            accessible &= field.trySetAccessible();
        }
        boolean all = each == Object.class || each == Record.class;
        return new BeanState(closed && doubtful.isEmpty() && all && accessible, accessible ? fields : List.of(), parts);
    }

    /** Tests whether a field consists of what its property does, so that it can be compared; otherwise accessors convert it. */
    private static boolean isOfTheSame(JavaType field, JavaType property) {
        return JavaClasses.contain(field.getRawClass())
                ? field.containedTypeCount() == 0
                        || field.equals(property)
                        || isOfTheSame(
                                field.containedType(field.containedTypeCount() - 1),
                                property.containedTypeCount() == 0
                                        ? property
                                        : property.containedType(property.containedTypeCount() - 1))
                : field.getRawClass() == property.getRawClass();
    }

    private void requireCreator() {
        if (!(creation.canCreateUsingDefault()
                || creation.canCreateFromObjectWith()
                || creation.canCreateUsingDelegate()
                || creation.canCreateUsingArrayDelegate())) {
            throw new CodecException("A " + type.toCanonical() + " cannot be stored as JSON, because Jackson cannot"
                    + " create one when it reads: " + creationRemedy());
        }
    }

    private String creationRemedy() {
        Class<?> raw = type.getRawClass();
        if (ClassUtil.isNonStaticInnerClass(raw)) {
            return "make the class static";
        } else if (isOfKotlin(raw)) {
            return "it is a class of Kotlin, whose constructors Jackson sees with 'tools.jackson.module:jackson-module-kotlin' on"
                    + " the class path, or if it is compiled with -java-parameters";
        }
        return "make it a record, give it a constructor without parameters, or annotate one with @JsonCreator and its"
                + " parameters with @JsonProperty (compiled with -parameters, a single constructor needs neither)";
    }

    private static boolean isOfKotlin(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals("kotlin.Metadata"));
    }

    /** A property of another name may stand for the field; whether it does shows when values are compared. */
    private void requireProperty(Field field) {
        Class<?> wanted = ClassUtils.resolvePrimitiveIfNecessary(field.getType());
        boolean found = description.findAnyGetter() != null
                || both.values()
                        .removeIf(writer -> ClassUtils.resolvePrimitiveIfNecessary(
                                        writer.getType().getRawClass())
                                == wanted);
        if (!found) {
            String name = field.getDeclaringClass().getName() + "." + field.getName();
            throw new CodecException(
                    "A " + type.toCanonical() + " cannot be stored as JSON, because '" + name + "' "
                            + (written.contains(field.getName())
                                    ? "is written, but not set when it is read"
                                    : "is not seen by Jackson")
                            + ", so its value would be lost. Make the class a record, give it a constructor with all of its"
                            + " state, or a setter for this part; or annotate the field with @JsonProperty. If it is not to be"
                            + " stored, make it transient or annotate it with @JsonIgnore. Or give the group a codec of its own");
        }
    }
}
