package dev.ttlstore.spring.idempotency;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/**
 * What is stored of a request with a key.
 *
 * @param fingerprint what tells it from other requests
 * @param answer the answer; null while the request runs
 */
record Exchange(String fingerprint, @Nullable Answer answer) {

    /**
     * An answer.
     *
     * @param status the status
     * @param isError whether the status was sent as an error, whose body the application makes afterwards
     * @param headers names and values of the headers, one after the other
     * @param body the body; null if it was too large to keep
     */
    @SuppressWarnings("ArrayRecordComponent") // answers are never compared
    record Answer(int status, boolean isError, List<String> headers, byte @Nullable [] body) {}

    static final Codec<Exchange> CODEC = new Codec<>() {

        private static final byte VERSION = 1;

        @Override
        public byte[] encode(Exchange exchange) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream output = new DataOutputStream(bytes)) {
                output.writeByte(VERSION);
                output.writeUTF(exchange.fingerprint);
                Answer answer = exchange.answer;
                output.writeBoolean(answer != null);
                if (answer != null) {
                    write(answer, output);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Writing to memory does not fail", e);
            }
            return bytes.toByteArray();
        }

        private void write(Answer answer, DataOutputStream output) throws IOException {
            output.writeInt(answer.status);
            output.writeBoolean(answer.isError);
            output.writeInt(answer.headers.size());
            for (String text : answer.headers) {
                output.writeUTF(text);
            }
            byte[] body = answer.body;
            output.writeInt(body == null ? -1 : body.length);
            if (body != null) {
                output.write(body);
            }
        }

        @Override
        public Exchange decode(byte[] bytes) {
            try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
                if (input.readByte() != VERSION) {
                    throw new CodecException("The answer to a request was stored by a later version");
                }
                return new Exchange(input.readUTF(), input.readBoolean() ? read(input) : null);
            } catch (IOException e) {
                throw new CodecException("The answer to a request is cut off");
            }
        }

        private Answer read(DataInputStream input) throws IOException {
            int status = input.readInt();
            boolean isError = input.readBoolean();
            List<String> headers = new ArrayList<>();
            for (int left = input.readInt(); left > 0; left--) {
                headers.add(input.readUTF());
            }
            int length = input.readInt();
            return new Answer(status, isError, headers, length < 0 ? null : input.readNBytes(length));
        }
    };
}
