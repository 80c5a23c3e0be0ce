package dev.ttlstore.spring.chatmemory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;

import dev.ttlstore.exception.CodecException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A message as JSON. Written by hand, so that releases of Spring AI read what earlier ones wrote, also in native images. */
final class MessageJson {

    private static final String TYPE = "type";
    private static final String TEXT = "text";
    private static final String METADATA = "metadata";
    private static final String TOOL_CALLS = "toolCalls";
    private static final String RESPONSES = "responses";
    private static final String MEDIA = "media";
    private static final String ID = "id";
    private static final String NAME = "name";
    private static final String ARGUMENTS = "arguments";
    private static final String DATA = "data";

    private static final Set<Class<?>> CLASSES =
            Set.of(UserMessage.class, AssistantMessage.class, SystemMessage.class, ToolResponseMessage.class);

    private MessageJson() {}

    /**
     * Writes a message.
     *
     * @throws CodecException if it is of a class whose state is not known here, such as that of a certain model
     */
    static ObjectNode write(Message message, JsonMapper mapper) {
        if (!CLASSES.contains(message.getClass())) {
            throw new CodecException(
                    "A chat memory cannot store a " + message.getClass().getName()
                            + ", because its own state would be lost; make it a message of Spring AI before it is added, such as by"
                            + " AssistantMessage.builder(), and put into its metadata what is to be kept");
        }
        ObjectNode json = mapper.createObjectNode();
        json.put(TYPE, message.getMessageType().name());
        json.put(TEXT, message.getText());
        ObjectNode metadata = MetadataJson.write(message.getMetadata(), mapper);
        if (!metadata.isEmpty()) {
            json.set(METADATA, metadata);
        }
        if (message instanceof AssistantMessage assistant && assistant.hasToolCalls()) {
            ArrayNode calls = json.putArray(TOOL_CALLS);
            assistant.getToolCalls().forEach(call -> calls.addObject()
                    .put(ID, call.id())
                    .put(TYPE, call.type())
                    .put(NAME, call.name())
                    .put(ARGUMENTS, call.arguments()));
        }
        if (message instanceof ToolResponseMessage tool) {
            ArrayNode responses = json.putArray(RESPONSES);
            tool.getResponses().forEach(response -> responses
                    .addObject()
                    .put(ID, response.id())
                    .put(NAME, response.name())
                    .put(DATA, response.responseData()));
        }
        if (message instanceof MediaContent content && !content.getMedia().isEmpty()) {
            ArrayNode media = json.putArray(MEDIA);
            content.getMedia().forEach(one -> MediaJson.write(one, media.addObject()));
        }
        return json;
    }

    /**
     * Reads a message.
     *
     * @throws IllegalArgumentException if it is not one
     */
    static Message read(JsonNode json) {
        String text = text(json, TEXT);
        Map<String, Object> metadata = MetadataJson.read(json.path(METADATA));
        return switch (MessageType.valueOf(json.path(TYPE).asString())) {
            case USER -> {
                UserMessage.Builder user =
                        UserMessage.builder().metadata(metadata).media(media(json));
                yield (text == null ? user : user.text(text)).build();
            }
            case ASSISTANT ->
                AssistantMessage.builder()
                        .content(text)
                        .properties(metadata)
                        .toolCalls(toolCalls(json))
                        .media(media(json))
                        .build();
            case SYSTEM -> {
                SystemMessage.Builder system = SystemMessage.builder().metadata(metadata);
                yield (text == null ? system : system.text(text)).build();
            }
            case TOOL ->
                ToolResponseMessage.builder()
                        .responses(responses(json))
                        .metadata(metadata)
                        .build();
        };
    }

    @SuppressWarnings("NullAway") // models leave parts of a call out, and Spring AI keeps null
    private static List<ToolCall> toolCalls(JsonNode json) {
        List<ToolCall> calls = new ArrayList<>();
        json.path(TOOL_CALLS)
                .forEach(call -> calls.add(
                        new ToolCall(text(call, ID), text(call, TYPE), text(call, NAME), text(call, ARGUMENTS))));
        return calls;
    }

    @SuppressWarnings("NullAway") // the same
    private static List<ToolResponse> responses(JsonNode json) {
        List<ToolResponse> responses = new ArrayList<>();
        json.path(RESPONSES)
                .forEach(response -> responses.add(
                        new ToolResponse(text(response, ID), text(response, NAME), text(response, DATA))));
        return responses;
    }

    private static List<Media> media(JsonNode json) {
        List<Media> media = new ArrayList<>();
        json.path(MEDIA).forEach(one -> media.add(MediaJson.read(one)));
        return media;
    }

    private static @Nullable String text(JsonNode json, String name) {
        JsonNode text = json.path(name);
        return text.isString() ? text.asString() : null;
    }
}
