package dev.ttlstore.spring.session;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.FlashMap;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.WritableTypeId;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * Flash attributes as JSON: a map that also says for which request it is, and until when. Jackson sees the map alone. Loaded only with
 * Spring MVC.
 */
final class FlashMapJson {

    private static final String PATH = "@path";
    private static final String PARAMETERS = "@parameters";
    private static final String EXPIRES = "@expires";

    private FlashMapJson() {}

    static JacksonModule module() {
        return new SimpleModule("ttl-store-flash-map")
                .addSerializer(FlashMap.class, new Writer())
                .addDeserializer(FlashMap.class, new Reader());
    }

    private static final class Writer extends ValueSerializer<FlashMap> {

        @Override
        public void serialize(FlashMap flash, JsonGenerator json, SerializationContext context) {
            json.writeStartObject(flash);
            writeAll(flash, json, context);
            json.writeEndObject();
        }

        @Override
        public void serializeWithType(
                FlashMap flash, JsonGenerator json, SerializationContext context, TypeSerializer types) {
            WritableTypeId start = types.writeTypePrefix(json, context, types.typeId(flash, JsonToken.START_OBJECT));
            writeAll(flash, json, context);
            types.writeTypeSuffix(json, context, start);
        }

        private static void writeAll(FlashMap flash, JsonGenerator json, SerializationContext context) {
            write(PATH, flash.getTargetRequestPath(), json, context);
            write(PARAMETERS, flash.getTargetRequestParams(), json, context);
            write(EXPIRES, flash.getExpirationTime(), json, context);
            flash.forEach((name, value) -> write(name, value, json, context));
        }

        private static void write(
                String name, @Nullable Object value, JsonGenerator json, SerializationContext context) {
            json.writeName(name);
            if (value == null) {
                json.writeNull();
                return;
            }
            TypeSerializer types = context.findTypeSerializer(context.constructType(Object.class));
            ValueSerializer<Object> serializer = context.findContentValueSerializer(value.getClass(), null);
            if (types == null) {
                serializer.serialize(value, json, context);
            } else {
                serializer.serializeWithType(value, json, context, types);
            }
        }
    }

    private static final class Reader extends ValueDeserializer<FlashMap> {

        @Override
        public FlashMap deserialize(JsonParser json, DeserializationContext context) {
            JavaType any = context.constructType(Object.class);
            ValueDeserializer<Object> values = context.findRootValueDeserializer(any);
            FlashMap flash = new FlashMap();
            if (json.isExpectedStartObjectToken()) {
                json.nextToken();
            }
            for (; json.hasToken(JsonToken.PROPERTY_NAME); json.nextToken()) {
                String name = json.currentName();
                boolean isNull = json.nextToken() == JsonToken.VALUE_NULL;
                set(flash, name, isNull ? null : values.deserialize(json, context));
            }
            return flash;
        }

        @SuppressWarnings("NullAway") // a map may have null values
        private static void set(FlashMap flash, String name, @Nullable Object value) {
            if (name.equals(PATH)) {
                flash.setTargetRequestPath((String) value);
            } else if (name.equals(PARAMETERS) && value instanceof Map<?, ?> parameters) {
                parameters.forEach((parameter, some) -> ((Iterable<?>) some)
                        .forEach(each -> flash.getTargetRequestParams().add((String) parameter, (String) each)));
            } else if (name.equals(EXPIRES) && value instanceof Long time) {
                flash.setExpirationTime(time);
            } else {
                flash.put(name, value);
            }
        }

        @Override
        public Object deserializeWithType(JsonParser json, DeserializationContext context, TypeDeserializer types) {
            return types.deserializeTypedFromObject(json, context);
        }
    }
}
