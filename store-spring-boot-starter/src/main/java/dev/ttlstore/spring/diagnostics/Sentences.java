package dev.ttlstore.spring.diagnostics;

/** Turns messages of exceptions into sentences. */
final class Sentences {

    private Sentences() {}

    /** Adds a full stop, unless the text ends with a full stop or a question mark. */
    static String end(String sentence) {
        return sentence.endsWith("?") || sentence.endsWith(".") ? sentence : sentence + ".";
    }
}
