package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UnsupportedEncodingException;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Encodes what the writer of an answer gets. A writer from before a reset goes on, as the container's does: Spring MVC keeps the one it
 * has.
 */
final class AnswerText extends Writer {

    private final OutputStream output;
    private final Supplier<String> encoding;

    /** The encoding; null for the one that the supplier names. */
    private @Nullable String named;

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

    /** Names the encoding. */
    void encodeIn(String name) throws UnsupportedEncodingException {
        try {
            Charset unused = Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedEncodingException(name);
        }
        named = name;
    }

    void forgetEncoding() {
        named = null;
        discard();
    }

    /** Forgets what was not flushed. What follows is encoded from the beginning, which begins some encodings with a mark. */
    void discard() {
        encoder = null;
    }

    /** Tests whether nothing was written, or all was discarded. */
    boolean isEmpty() {
        return encoder == null;
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        OutputStreamWriter used = encoder;
        if (used == null) {
            used = new OutputStreamWriter(output, named == null ? encoding.get() : named);
            encoder = used;
        }
        used.write(text, from, length);
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
