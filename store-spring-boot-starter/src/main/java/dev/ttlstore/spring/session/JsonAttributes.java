package dev.ttlstore.spring.session;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.security.jackson.SecurityJacksonModules;
import org.springframework.util.ClassUtils;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.spring.json.ConstructedTypes;
import dev.ttlstore.spring.json.ExactJson;
import dev.ttlstore.spring.json.JsonProblems;
import dev.ttlstore.spring.json.ReadBack;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.type.TypeFactory;

/**
 * Encodes attributes as JSON that names their classes, with Spring Security's modules where they are present. It
 * refuses to write an attribute that it could not read again. Thread-safe.
 *
 * <pre>{@code
 * Codec<Object> attributes = new JsonAttributes(
 *         AllowedClasses.of(List.of("com.example.cart.*")), "app.session-classes", getClass().getClassLoader());
 * }</pre>
 *
 * @since 0.1
 * @see StoreSessionSettings
 */
public final class JsonAttributes implements Codec<Object> {

    private static final String SECURITY = "org.springframework.security.jackson.SecurityJacksonModules";

    private static final String FLASH_MAP = "org.springframework.web.servlet.FlashMap";

    private final ObjectReader reader;
    private final ObjectWriter writer;
    private final JsonMapper mapper;
    private final ReadBack readBack;
    private final AllowedClasses allowed;
    private final String property;
    private final ClassLoader loader;

    /**
     * Creates a codec.
     *
     * @param allowed the classes that attributes may consist of, beside those of Spring Security's modules; one that is allowed by its
     *     package only must take all its state in a constructor, as {@link ConstructedTypes} says
     * @param property the name of the property that lists them, for messages
     * @param loader finds the classes; null for the context class loader of the thread, and without one that of Spring
     */
    public JsonAttributes(AllowedClasses allowed, String property, @Nullable ClassLoader loader) {
        this.allowed = Objects.requireNonNull(allowed, "'allowed' must not be null");
        this.property = Objects.requireNonNull(property, "'property' must not be null");
        ClassLoader classes = loader != null ? loader : Objects.requireNonNull(ClassUtils.getDefaultClassLoader());
        this.loader = classes;
        BasicPolymorphicTypeValidator.Builder types = BasicPolymorphicTypeValidator.builder();
        types.allowIfSubType((context, type) -> allowed.contains(type));
        JsonMapper.Builder builder = ExactJson.builder()
                .typeFactory(TypeFactory.createDefaultInstance().withClassLoader(classes))
                .findAndAddModules(classes)
                .addModule(ConstructedTypes.module(allowed));
        if (ClassUtils.isPresent(SECURITY, classes)) {
            builder.addModules(Security.modules(classes, types));
        } else {
            builder.activateDefaultTyping(types.build(), DefaultTyping.NON_FINAL, JsonTypeInfo.As.PROPERTY);
        }
        if (ClassUtils.isPresent(FLASH_MAP, classes)) {
            builder.addModule(FlashMapJson.module());
        }
        // An object without any property for Jackson would be empty when it is read. A class may gain an int: an older
        // session has none.
        this.mapper = builder.addModule(ExactJson.module())
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build();
        this.reader = mapper.readerFor(Object.class);
        this.writer = mapper.writerFor(Object.class);
        this.readBack = new ReadBack(mapper);
    }

    /** Loaded only with Spring Security. */
    private static final class Security {

        static List<JacksonModule> modules(ClassLoader loader, BasicPolymorphicTypeValidator.Builder types) {
            return new ArrayList<>(SecurityJacksonModules.getModules(loader, types));
        }
    }

    @Override
    public byte[] encode(Object value) {
        byte[] json = write(value);
        String difference = readBack.difference(value, readAgain(value, json));
        if (difference != null) {
            throw refusal(value, difference);
        }
        return json;
    }

    private byte[] write(Object value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw new CodecException("Objects of " + value.getClass().getName() + " cannot be written as JSON ("
                    + JsonProblems.ofWriting(e)
                    + "); let them have getters or be records, and a constructor that takes all their state");
        } catch (LinkageError e) {
            throw refusal(value, e.getClass().getSimpleName());
        }
    }

    private @Nullable Object readAgain(Object value, byte[] json) {
        try {
            return reader.readValue(json);
        } catch (InvalidTypeIdException e) {
            throw refusal(value, "not allowed: " + refused(json, e.getTypeId()));
        } catch (InvalidDefinitionException e) {
            throw new CodecException("Objects of " + value.getClass().getName()
                    + " could not be read from JSON again, because " + ConstructedTypes.reason(e, property));
        } catch (JacksonException e) {
            throw refusal(value, JsonProblems.ofReading(e));
        } catch (LinkageError e) {
            throw refusal(value, e.getClass().getSimpleName());
        }
    }

    /** Returns the names of all classes that may not be read. */
    private String refused(byte[] json, String first) {
        Set<String> names = new LinkedHashSet<>();
        for (Class<?> type : NamedClasses.in(mapper.readTree(json), loader)) {
            if (!allowed.contains(type) && !ConstructedTypes.isOfModule(type)) {
                names.add(type.getName());
            }
        }
        return names.isEmpty() ? first : String.join(", ", names);
    }

    private CodecException refusal(Object value, String reason) {
        return new CodecException("Objects of " + value.getClass().getName()
                + " could not be read from JSON again (" + reason + "); allow the classes that they consist of by '"
                + property + "', and make them readable for Jackson");
    }

    @Override
    public Object decode(byte[] bytes) {
        Object value;
        try {
            value = reader.readValue(bytes);
        } catch (JacksonException | LinkageError e) { // without the message, which quotes the value
            throw new CodecException(
                    "It cannot be read from JSON: " + e.getClass().getSimpleName());
        }
        if (value == null) {
            throw new CodecException("It cannot be read from the JSON null");
        }
        return value;
    }
}
