package dev.ttlstore.spring.chatmemory;

import java.nio.ByteBuffer;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.Message;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.spring.keys.AnyText;
import dev.ttlstore.spring.keys.TextKeys;

/**
 * A conversation as the store has it.
 *
 * @param id its id if that is no key of the store, so that a hash takes its place; otherwise null
 * @param messages the messages
 */
record Conversation(@Nullable String id, List<Message> messages) {

    static Conversation of(String id, List<Message> messages) {
        return new Conversation(TextKeys.isHash(TextKeys.of(id)) ? id : null, messages);
    }

    /** Encodes the messages, after a mark and the id if there is one. */
    static final class OfMessages implements Codec<Conversation> {

        /** No JSON begins with it. */
        private static final byte MARK = 0;

        private static final int HEAD = 1 + Integer.BYTES;

        private final Codec<List<Message>> messages;
        private final AnyText ids = new AnyText();

        OfMessages(Codec<List<Message>> messages) {
            this.messages = messages;
        }

        @Override
        public byte[] encode(Conversation conversation) {
            byte[] encoded = messages.encode(conversation.messages);
            if (conversation.id == null) {
                return encoded;
            }
            byte[] id = ids.encode(conversation.id);
            return ByteBuffer.allocate(HEAD + id.length + encoded.length)
                    .put(MARK)
                    .putInt(id.length)
                    .put(id)
                    .put(encoded)
                    .array();
        }

        @Override
        public Conversation decode(byte[] bytes) {
            if (bytes.length == 0 || bytes[0] != MARK) {
                return new Conversation(null, messages.decode(bytes));
            }
            ByteBuffer rest = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
            int length = rest.remaining() < Integer.BYTES ? -1 : rest.getInt();
            if (length < 0 || length > rest.remaining()) {
                throw new CodecException("A conversation ends within its id");
            }
            String id = ids.decode(take(rest, length));
            return new Conversation(id, messages.decode(take(rest, rest.remaining())));
        }

        private static byte[] take(ByteBuffer buffer, int length) {
            byte[] taken = new byte[length];
            buffer.get(taken);
            return taken;
        }
    }

    /** Returns a text without the id and the messages, which may be secrets. */
    @Override
    public String toString() {
        return "Conversation";
    }
}
