package dev.ttlstore.spring.idempotency;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

import jakarta.servlet.http.HttpServletResponse;

/**
 * What is stored of a request with a key.
 *
 * @param head what tells it from other requests, beside its body
 * @param body what its application has got of its body; null if that is not known
 * @param answer the answer; null while the request runs
 */
record Exchange(String head, @Nullable Body body, @Nullable RecordedResponse answer) {

    /** How an answer ends. Never reordered, because the number is stored. */
    enum Ending {
        /** With its body. */
        BODY,
        /** As an error, whose body the application makes afterwards. */
        ERROR,
        /** As a redirect. */
        REDIRECT;

        /**
         * Ends a response, unless it ends with its body.
         *
         * @param text the message of an error, or the target of a redirect
         * @return whether it has ended
         */
        boolean end(HttpServletResponse response, int status, @Nullable String text) throws IOException {
            if (this == REDIRECT) {
                response.sendRedirect(text, status, true);
            } else if (this == ERROR && text == null) {
                response.sendError(status);
            } else if (this == ERROR) {
                response.sendError(status, text);
            }
            return this != BODY;
        }
    }

    /**
     * An answer, as it is stored and given again.
     *
     * @param status the status
     * @param ending how it ends
     * @param text the message of an error, or the target of a redirect; null for a body, or without a message
     * @param headers names and values of the headers, one after the other
     * @param body the body; null if it was not kept
     */
    @SuppressWarnings("ArrayRecordComponent") // answers are never compared
    record RecordedResponse(
            int status, Ending ending, @Nullable String text, List<String> headers, byte @Nullable [] body) {

        /** Returns the same without its body. */
        RecordedResponse withoutBody() {
            return new RecordedResponse(status, ending, text, headers, null);
        }
    }

    @SuppressWarnings("EnumOrdinal") // the order of the constants never changes
    static final Codec<Exchange> CODEC = new Codec<>() {

        private static final byte VERSION = 2;

        @Override
        public byte[] encode(Exchange exchange) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (DataOutputStream output = new DataOutputStream(bytes)) {
                output.writeByte(VERSION);
                write(exchange.head, output);
                Body body = exchange.body;
                output.writeBoolean(body != null);
                if (body != null) {
                    output.writeByte(body.form().ordinal());
                    write(body.hash(), output);
                    output.writeLong(body.length());
                    output.writeBoolean(body.isComplete());
                }
                RecordedResponse answer = exchange.answer;
                output.writeBoolean(answer != null);
                if (answer != null) {
                    write(answer, output);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Writing to memory does not fail", e);
            }
            return bytes.toByteArray();
        }

        private void write(RecordedResponse answer, DataOutputStream output) throws IOException {
            output.writeInt(answer.status);
            output.writeByte(answer.ending.ordinal());
            write(answer.text, output);
            output.writeInt(answer.headers.size());
            for (String text : answer.headers) {
                write(text, output);
            }
            write(answer.body, output);
        }

        private void write(@Nullable String text, DataOutputStream output) throws IOException {
            write(text == null ? null : text.getBytes(StandardCharsets.UTF_8), output);
        }

        private void write(byte @Nullable [] bytes, DataOutputStream output) throws IOException {
            output.writeInt(bytes == null ? -1 : bytes.length);
            if (bytes != null) {
                output.write(bytes);
            }
        }

        @Override
        public Exchange decode(byte[] bytes) {
            try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
                if (input.readByte() != VERSION) {
                    throw new CodecException("The answer to a request was stored by another version");
                }
                String head = readText(input);
                Body body = input.readBoolean() ? readBody(input) : null;
                return new Exchange(head, body, input.readBoolean() ? readAnswer(input) : null);
            } catch (IOException | ArrayIndexOutOfBoundsException e) {
                throw new CodecException("The answer to a request is cut off");
            }
        }

        private Body readBody(DataInputStream input) throws IOException {
            Body.Form form = Body.Form.values()[input.readByte()];
            return new Body(form, readText(input), input.readLong(), input.readBoolean());
        }

        private RecordedResponse readAnswer(DataInputStream input) throws IOException {
            int status = input.readInt();
            Ending ending = Ending.values()[input.readByte()];
            byte[] found = read(input);
            String text = found == null ? null : new String(found, StandardCharsets.UTF_8);
            List<String> headers = new ArrayList<>();
            for (int left = input.readInt(); left > 0; left--) {
                headers.add(readText(input));
            }
            return new RecordedResponse(status, ending, text, headers, read(input));
        }

        private String readText(DataInputStream input) throws IOException {
            byte[] found = read(input);
            if (found == null) {
                throw new EOFException();
            }
            return new String(found, StandardCharsets.UTF_8);
        }

        private byte @Nullable [] read(DataInputStream input) throws IOException {
            int length = input.readInt();
            if (length < 0) {
                return null;
            }
            byte[] found = input.readNBytes(length);
            if (found.length < length) {
                throw new EOFException();
            }
            return found;
        }
    };
}
