package dev.ttlstore.spring.chatmemory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Metadata of a message as JSON. Texts, integers, doubles, booleans, lists and maps are those of JSON. Other values that come back, such
 * as a long or a time, are an object with a {@link MetadataKind kind}. Enums and times of other calendars become texts. Objects of other
 * classes, which a model may have added, are left out.
 */
final class MetadataJson {

    private static final Logger log = LoggerFactory.getLogger(MetadataJson.class);

    private static final String KIND = "@kind";
    private static final String VALUE = "value";

    /** The kind of a map that has the key of a kind itself. */
    private static final String MAP = "map";

    private static final String SET = "set";

    /** The names of the classes that were left out. */
    private static final Set<String> LEFT_OUT = ConcurrentHashMap.newKeySet();

    private MetadataJson() {}

    static ObjectNode write(Map<String, Object> metadata, JsonMapper mapper) {
        ObjectNode json = mapper.createObjectNode();
        metadata.forEach((key, value) -> {
            JsonNode node = key.equals(AbstractMessage.MESSAGE_TYPE) ? null : node(key, value);
            if (node != null) {
                json.set(key, node);
            }
        });
        return json;
    }

    /** Returns null for an entry that is left out. One is a key with half a character, because Jackson cannot read it. */
    private static @Nullable JsonNode node(String key, @Nullable Object value) {
        return UTF_8.newEncoder().canEncode(key) ? node(value) : null;
    }

    /** Returns null for what is left out. */
    private static @Nullable JsonNode node(@Nullable Object value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (value == null) {
            return nodes.nullNode();
        } else if (value instanceof Boolean flag) {
            return nodes.booleanNode(flag);
        } else if (value instanceof Integer number) {
            return nodes.numberNode(number);
        } else if (value instanceof Double number && Double.isFinite(number)) {
            return nodes.numberNode(number);
        } else if (value instanceof Set<?> values) {
            return kind(SET, array(values));
        } else if (value instanceof Collection<?> values) {
            return array(values);
        } else if (value instanceof Map<?, ?> values) {
            ObjectNode object = object(values);
            return object.has(KIND) ? kind(MAP, object) : object;
        }
        MetadataKind kind = MetadataKind.of(value);
        if (kind != null) {
            return kind(kind.name(), nodes.stringNode(value.toString()));
        }
        String text = MetadataKind.text(value);
        if (text == null && LEFT_OUT.add(value.getClass().getName())) {
            log.info(
                    "The chat memory does not keep metadata of {}, only texts, numbers, booleans, times, lists and maps",
                    value.getClass().getName());
        }
        return text == null ? null : nodes.stringNode(text);
    }

    private static ObjectNode kind(String name, JsonNode value) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put(KIND, name);
        object.set(VALUE, value);
        return object;
    }

    private static ArrayNode array(Collection<?> values) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        values.stream().map(MetadataJson::node).forEach(node -> {
            if (node != null) {
                array.add(node);
            }
        });
        return array;
    }

    private static ObjectNode object(Map<?, ?> values) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        values.forEach((key, inner) -> {
            String name = String.valueOf(key);
            JsonNode node = node(name, inner);
            if (node != null) {
                object.set(name, node);
            }
        });
        return object;
    }

    /**
     * Reads metadata.
     *
     * @throws IllegalArgumentException if a value is not of its kind
     */
    @SuppressWarnings("NullAway") // Spring AI takes null values
    static Map<String, Object> read(JsonNode json) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        json.forEachEntry((key, node) -> metadata.put(key, value(node)));
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
            return list(node);
        } else if (!node.isObject()) {
            return null;
        }
        JsonNode value = node.path(VALUE);
        return switch (node.path(KIND).asString("")) {
            case "" -> read(node);
            case MAP -> read(value);
            case SET -> new LinkedHashSet<>(list(value));
            default -> MetadataKind.read(node.path(KIND).asString(), value.asString());
        };
    }

    private static List<@Nullable Object> list(JsonNode node) {
        List<@Nullable Object> values = new ArrayList<>();
        node.forEach(inner -> values.add(value(inner)));
        return values;
    }
}
