package dev.ttlstore.spring.diagnostics;

/** What exceptions say, as sentences. */
final class Sentences {

    private Sentences() {}

    /** Ends a sentence, unless it is a question or has an end already. */
    static String end(String sentence) {
        return sentence.endsWith("?") || sentence.endsWith(".") ? sentence : sentence + ".";
    }
}
