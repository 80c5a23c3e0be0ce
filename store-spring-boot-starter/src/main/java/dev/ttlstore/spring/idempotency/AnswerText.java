package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Encodes what the writer of an answer gets. A writer from before a reset goes on, as the container's does: Spring MVC keeps the one it
 * has.
 */
final class AnswerText extends Writer {

    private final OutputStream output;
    private final Supplier<String> encoding;

    /** Null until something is to be encoded, also after a reset. */
    private @Nullable OutputStreamWriter encoder;

    /**
     * Creates a writer.
     *
     * @param output takes the bytes
     * @param encoding says in which encoding, unless {@link #encodeIn} has said so
     */
    AnswerText(OutputStream output, Supplier<String> encoding) {
        this.output = output;
        this.encoding = encoding;
    }

    /** Encodes from now on with a new encoder, which begins some encodings with a mark. */
    OutputStreamWriter encodeIn(String name) throws IOException {
        OutputStreamWriter created = new OutputStreamWriter(output, name);
        encoder = created;
        return created;
    }

    void forgetEncoding() {
        encoder = null;
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        OutputStreamWriter used = encoder;
        (used == null ? encodeIn(encoding.get()) : used).write(text, from, length);
    }

    @Override
    public void flush() throws IOException {
        OutputStreamWriter used = encoder;
        if (used != null) {
            used.flush();
        }
    }

    @Override
    public void close() throws IOException {
        flush();
        output.close();
    }
}
