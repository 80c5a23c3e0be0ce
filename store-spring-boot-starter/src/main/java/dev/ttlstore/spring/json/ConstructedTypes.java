package dev.ttlstore.spring.json;

import java.io.Serial;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

import dev.ttlstore.serialization.AllowedClasses;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.CreatorProperty;
import tools.jackson.databind.deser.SettableAnyProperty;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;

/**
 * Decides which classes Jackson may create when the JSON names the class. A package has more than values: the setters
 * of its beans can have effects. So a class that is allowed by its package only must take all its state in a
 * constructor, as a record does, or in a builder of its own. A class that is allowed by its name has no such rule.
 *
 * @since 0.1
 * @see ExactJson
 */
public final class ConstructedTypes {

    /** Read by modules of Spring Security, which list what they allow. */
    private static final List<String> OF_MODULES = List.of("org.springframework.security.", "org.apereo.cas.");

    private ConstructedTypes() {}

    /**
     * Returns a module that refuses other classes, with an {@link InvalidDefinitionException} when one is first read.
     *
     * @param allowed the classes that Jackson may create
     * @return the module
     */
    public static JacksonModule module(AllowedClasses allowed) {
        Objects.requireNonNull(allowed, "'allowed' must not be null");
        return new SimpleModule(ConstructedTypes.class.getName()).setDeserializerModifier(new Check(allowed));
    }

    /**
     * Says why objects of a class cannot be made.
     *
     * @param e what the mapper has thrown
     * @param property the name of the property that lists classes
     * @return the reason with what to do, without values
     */
    public static String reason(InvalidDefinitionException e, String property) {
        String type = e.getType().toCanonical();
        return e instanceof Refusal
                ? type + " has no constructor that takes all its state; make it a record, or name the class in '"
                        + property + "' if its setters only set values"
                : "Jackson cannot make " + type
                        + " of JSON where it is: keys of maps must be texts, numbers, times or enums, and"
                        + " other objects need a constructor, or one with @JsonCreator";
    }

    /**
     * Tests whether modules of Spring Security decide about a class.
     *
     * @param type the class
     * @return whether they do
     */
    public static boolean isOfModule(Class<?> type) {
        return OF_MODULES.stream().anyMatch(type.getName()::startsWith);
    }

    @SuppressWarnings("serial") // nobody serializes a mapper
    private static final class Check extends ValueDeserializerModifier {

        private final transient AllowedClasses allowed;

        private Check(AllowedClasses allowed) {
            this.allowed = allowed;
        }

        @Override
        public BeanDeserializerBuilder updateBuilder(
                DeserializationConfig config, BeanDescription.Supplier description, BeanDeserializerBuilder builder) {
            JavaType type = description.getType();
            if (!type.isAbstract() && !isListed(type) && builder.getBuildMethod() == null && !isConstructed(builder)) {
                throw refusal(type);
            }
            return builder;
        }

        @Override
        public ValueDeserializer<?> modifyCollectionDeserializer(
                DeserializationConfig config,
                CollectionType type,
                BeanDescription.Supplier description,
                ValueDeserializer<?> deserializer) {
            return requireListed(type, deserializer);
        }

        @Override
        public ValueDeserializer<?> modifyMapDeserializer(
                DeserializationConfig config,
                MapType type,
                BeanDescription.Supplier description,
                ValueDeserializer<?> deserializer) {
            return requireListed(type, deserializer);
        }

        /** Collections and maps are made empty, and then filled by methods of theirs. */
        private ValueDeserializer<?> requireListed(JavaType type, ValueDeserializer<?> deserializer) {
            if (!type.isAbstract() && !isListed(type)) {
                throw refusal(type);
            }
            return deserializer;
        }

        private boolean isListed(JavaType type) {
            return isOfModule(type.getRawClass()) || allowed.names(type.getRawClass());
        }

        private static boolean isConstructed(BeanDeserializerBuilder builder) {
            for (Iterator<SettableBeanProperty> all = builder.getProperties(); all.hasNext(); ) {
                if (!(all.next() instanceof CreatorProperty)) {
                    return false;
                }
            }
            SettableAnyProperty others = builder.getAnySetter();
            ValueInstantiator instantiator = builder.getValueInstantiator();
            return (others == null || others.getParameterIndex() >= 0)
                    && (!instantiator.canCreateUsingDefault()
                            || instantiator.canCreateFromObjectWith()
                            || instantiator.canCreateUsingDelegate());
        }

        private static InvalidDefinitionException refusal(JavaType type) {
            return new Refusal(type);
        }
    }

    private static final class Refusal extends InvalidDefinitionException {

        @Serial
        private static final long serialVersionUID = 1L;

        Refusal(JavaType type) {
            super(
                    (JsonParser) null,
                    type.getRawClass().getName()
                            + " has no constructor that takes all its state, as that of a record does",
                    type);
        }
    }
}
