package dev.ttlstore.spring.chatmemory;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.messages.AbstractMessage;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Metadata of a message as JSON: texts, numbers, booleans, lists and maps. Enums, times, UUIDs and URIs become texts. Objects of other
 * classes, which a model may have added, are left out.
 */
final class MetadataJson {

    private static final Logger log = LoggerFactory.getLogger(MetadataJson.class);

    /** The names of the classes that were left out. */
    private static final Set<String> LEFT_OUT = ConcurrentHashMap.newKeySet();

    private MetadataJson() {}

    static ObjectNode write(Map<String, Object> metadata, JsonMapper mapper) {
        ObjectNode json = mapper.createObjectNode();
        metadata.forEach((key, value) -> {
            JsonNode node = key.equals(AbstractMessage.MESSAGE_TYPE) ? null : node(value);
            if (node != null) {
                json.set(key, node);
            }
        });
        return json;
    }

    /** Returns null for what is left out. */
    private static @Nullable JsonNode node(@Nullable Object value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (value == null) {
            return null;
        } else if (value instanceof Boolean flag) {
            return nodes.booleanNode(flag);
        } else if (value instanceof Number number) {
            return node(number, nodes);
        } else if (value instanceof Enum<?> constant) {
            return nodes.stringNode(constant.name());
        } else if (value instanceof CharSequence
                || value instanceof TemporalAccessor
                || value instanceof UUID
                || value instanceof URI) {
            return nodes.stringNode(value.toString());
        } else if (value instanceof Collection<?> values) {
            ArrayNode array = nodes.arrayNode();
            values.stream().map(MetadataJson::node).forEach(node -> {
                if (node != null) {
                    array.add(node);
                }
            });
            return array;
        } else if (value instanceof Map<?, ?> values) {
            ObjectNode object = nodes.objectNode();
            values.forEach((key, inner) -> {
                JsonNode node = node(inner);
                if (node != null) {
                    object.set(String.valueOf(key), node);
                }
            });
            return object;
        }
        if (LEFT_OUT.add(value.getClass().getName())) {
            log.info(
                    "The chat memory does not keep metadata of {}, only texts, numbers, booleans, lists and maps",
                    value.getClass().getName());
        }
        return null;
    }

    private static JsonNode node(Number number, JsonNodeFactory nodes) {
        if (number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return nodes.numberNode(number.intValue());
        } else if (number instanceof Double || number instanceof Float) {
            return nodes.numberNode(number.doubleValue());
        } else if (number instanceof BigInteger integer) {
            return nodes.numberNode(integer);
        } else if (number instanceof BigDecimal decimal) {
            return nodes.numberNode(decimal);
        }
        return nodes.numberNode(number.longValue());
    }

    static Map<String, Object> read(JsonNode json) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        json.forEachEntry((key, node) -> {
            Object value = value(node);
            if (value != null) {
                metadata.put(key, value);
            }
        });
        return metadata;
    }

    private static @Nullable Object value(JsonNode node) {
        if (node.isString()) {
            return node.asString();
        } else if (node.isBoolean()) {
            return node.asBoolean();
        } else if (node.isNumber()) {
            return node.numberValue();
        } else if (node.isArray()) {
            List<Object> values = new ArrayList<>();
            node.forEach(inner -> {
                Object value = value(inner);
                if (value != null) {
                    values.add(value);
                }
            });
            return values;
        }
        return node.isObject() ? read(node) : null;
    }
}
