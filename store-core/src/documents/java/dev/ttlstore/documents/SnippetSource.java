package dev.ttlstore.documents;

import java.net.URI;
import java.util.Locale;

import javax.tools.Diagnostic;
import javax.tools.SimpleJavaFileObject;

/** An example that was completed to a source. It knows at which line of its page the compiler finds fault. */
final class SnippetSource extends SimpleJavaFileObject {

    private final Snippet snippet;
    private final String before;
    private final String after;

    /**
     * Completes an example.
     *
     * @param path the path of the source, from its package on
     * @param snippet the example
     * @param before the code before it, which ends with a line break or is empty
     * @param after the code after it
     */
    SnippetSource(String path, Snippet snippet, String before, String after) {
        super(URI.create("string:///" + path), Kind.SOURCE);
        this.snippet = snippet;
        this.before = before;
        this.after = after;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return before + snippet.code() + after;
    }

    /** Returns the line of the example that a message is about, from one; if it is about the code around it, the nearest line. */
    int line(Diagnostic<?> message) {
        long line = message.getLineNumber() - before.lines().count();
        long lines = snippet.code().lines().count();
        return (int) Math.max(1, Math.min(line, lines));
    }

    /** Returns the page, its line, and what the compiler says. */
    String describe(Diagnostic<?> message) {
        return snippet.page() + ":" + (snippet.line() + line(message) - 1) + ": " + message.getMessage(Locale.ENGLISH);
    }
}
