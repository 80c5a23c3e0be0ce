package dev.ttlstore.spring.chatmemory;

import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.messages.Message;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * Encodes the messages of a conversation as a JSON array, as {@link MessageJson} writes each. It has a mapper of its own, because
 * stored values outlive the settings of the application's. What cannot be decoded is no error, because a chat can go on without it.
 */
final class MessagesCodec implements Codec<List<Message>> {

    private static final Logger log = LoggerFactory.getLogger(MessagesCodec.class);

    private final JsonMapper mapper = JsonMapper.builder().build();

    @Override
    public byte[] encode(List<Message> messages) {
        ArrayNode array = mapper.createArrayNode();
        messages.forEach(message -> array.add(MessageJson.write(message, mapper)));
        try {
            return mapper.writeValueAsBytes(array);
        } catch (JacksonException e) { // whose message may quote the conversation
            throw new CodecException("A conversation cannot be written as JSON ("
                    + e.getClass().getSimpleName() + "); its texts must be valid Unicode");
        }
    }

    @Override
    public List<Message> decode(byte[] bytes) {
        try {
            JsonNode array = mapper.readTree(bytes);
            if (array.isArray()) {
                List<Message> messages = new ArrayList<>();
                array.forEach(message -> messages.add(MessageJson.read(message)));
                return messages;
            }
            warn("it is not a list");
        } catch (JacksonException | IllegalArgumentException e) {
            warn(e.getClass().getSimpleName());
        }
        return List.of();
    }

    /** Says no more, because the messages of exceptions may quote the conversation. */
    private static void warn(String reason) {
        log.warn("The chat memory has a conversation that cannot be read ({}); it counts as empty", reason);
    }
}
