package dev.ttlstore.spring.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.security.jackson.SecurityJacksonModules;
import org.springframework.util.ClassUtils;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.spring.json.ExactJson;
import dev.ttlstore.spring.json.ReadBack;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/**
 * Encodes attributes as JSON that names their classes, with Spring Security's modules where it is present. It writes only what it can
 * read again, so that what cannot be read later is refused when it is written. Thread-safe.
 */
public final class JsonAttributes implements Codec<Object> {

    private static final String SECURITY = "org.springframework.security.jackson.SecurityJacksonModules";

    private static final String FLASH_MAP = "org.springframework.web.servlet.FlashMap";

    private final ObjectReader reader;
    private final ObjectWriter writer;
    private final ReadBack readBack;
    private final String property;

    /**
     * Creates a codec.
     *
     * @param allowed the classes that attributes may consist of, beside those of Spring Security's modules
     * @param property the name of the property that lists them, for messages
     * @param loader finds the classes; null for the loader of this class
     */
    public JsonAttributes(AllowedClasses allowed, String property, @Nullable ClassLoader loader) {
        Objects.requireNonNull(allowed, "'allowed' must not be null");
        this.property = Objects.requireNonNull(property, "'property' must not be null");
        ClassLoader classes = loader == null ? JsonAttributes.class.getClassLoader() : loader;
        BasicPolymorphicTypeValidator.Builder types = BasicPolymorphicTypeValidator.builder();
        types.allowIfSubType((context, type) -> allowed.contains(type));
        JsonMapper.Builder builder = ExactJson.builder().findAndAddModules(classes);
        if (ClassUtils.isPresent(SECURITY, classes)) {
            builder.addModules(Security.modules(classes, types));
        } else {
            builder.activateDefaultTyping(types.build(), DefaultTyping.NON_FINAL, JsonTypeInfo.As.PROPERTY);
        }
        if (ClassUtils.isPresent(FLASH_MAP, classes)) {
            builder.addModule(FlashMapJson.module());
        }
        // An object of which Jackson sees nothing would be empty when it is read.
        JsonMapper mapper = builder.addModule(ExactJson.module())
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
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
        byte[] json;
        Object again;
        try {
            json = writer.writeValueAsBytes(value);
            again = reader.readValue(json);
        } catch (InvalidTypeIdException e) {
            throw refusal(value, "an object of " + e.getTypeId() + " may not be read");
        } catch (JacksonException | LinkageError e) {
            throw refusal(value, e.getClass().getSimpleName());
        }
        String difference = readBack.difference(value, again);
        if (difference != null) {
            throw refusal(value, difference);
        }
        return json;
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
