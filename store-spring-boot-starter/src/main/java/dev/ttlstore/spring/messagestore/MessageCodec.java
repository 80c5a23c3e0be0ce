package dev.ttlstore.spring.messagestore;

import java.io.Serializable;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.Message;
import org.springframework.util.Assert;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/** Encodes messages by a codec for any class. Thread-safe. */
final class MessageCodec {

    private static final Logger log = LoggerFactory.getLogger(MessageCodec.class);

    private final Codec<Object> values;

    /** Classes of headers that were left out and logged. */
    private final Set<Class<?>> told = ConcurrentHashMap.newKeySet();

    MessageCodec(Codec<Object> values) {
        this.values = values;
    }

    static UUID id(Message<?> message) {
        UUID id = message.getHeaders().getId();
        if (id == null) {
            throw new IllegalArgumentException("'message' must have an ID header");
        }
        return id;
    }

    StoredMessage encode(Message<?> message) {
        Assert.notNull(message, "'message' must not be null");
        UUID id = id(message);
        message.getHeaders().values().forEach(this::tellIfLeftOut);
        return new StoredMessage(id, values.encode(message));
    }

    /** Spring's headers leave it out without a word. */
    private void tellIfLeftOut(Object header) {
        if (!(header instanceof Serializable) && told.add(header.getClass())) {
            log.warn(
                    "Messages are stored without their headers of {}, which is not Serializable. If it is a reply"
                            + " channel, name the output channel, or store the header as text with 'headerChannelsToString'",
                    header.getClass().getName());
        }
    }

    Message<?> decode(StoredMessage stored) {
        if (values.decode(stored.content()) instanceof Message<?> message) {
            return message;
        }
        throw new CodecException("A value is not a message");
    }
}
