package dev.ttlstore.spring.messagestore;

import java.nio.ByteBuffer;
import java.util.UUID;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/**
 * A message as the store has it. Its id is known although nobody can read it after an upgrade, so that it can be removed.
 *
 * @param id the id in the headers of the message
 * @param content the message, encoded
 */
@SuppressWarnings("ArrayRecordComponent") // nothing compares it
record StoredMessage(UUID id, byte[] content) {

    private static final int ID_BYTES = 2 * Long.BYTES;

    /** Encodes messages as their ids and contents. */
    static final Codec<StoredMessage> CODEC = new Codec<>() {
        @Override
        public byte[] encode(StoredMessage message) {
            return ByteBuffer.allocate(ID_BYTES + message.content.length)
                    .putLong(message.id.getMostSignificantBits())
                    .putLong(message.id.getLeastSignificantBits())
                    .put(message.content)
                    .array();
        }

        @Override
        public StoredMessage decode(byte[] bytes) {
            if (bytes.length < ID_BYTES) {
                throw new CodecException("A value is not a message");
            }
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            UUID id = new UUID(buffer.getLong(), buffer.getLong());
            byte[] content = new byte[buffer.remaining()];
            buffer.get(content);
            return new StoredMessage(id, content);
        }
    };

    /** Returns a text without the content. */
    @Override
    public String toString() {
        return "StoredMessage[" + id + "]";
    }
}
