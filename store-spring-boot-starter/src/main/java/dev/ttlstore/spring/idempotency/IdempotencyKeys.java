package dev.ttlstore.spring.idempotency;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Reads the header {@code Idempotency-Key}. The draft (draft-ietf-httpapi-idempotency-key-header) makes it a string in quotation marks
 * (RFC 9651, 3.3.3); many clients send it without.
 */
final class IdempotencyKeys {

    /** The name of the header. */
    static final String HEADER = "Idempotency-Key";

    private static final Pattern QUOTED =
            Pattern.compile("\"((?:[\\x20-\\x21\\x23-\\x5B\\x5D-\\x7E]|\\\\[\"\\\\])*+)\"");

    private static final Pattern PLAIN = Pattern.compile("[\\x21\\x23-\\x7E]+");

    private static final int MAX_LENGTH = 255;

    private IdempotencyKeys() {}

    /** Returns the key that a header stands for; null if it is malformed. */
    static @Nullable String parse(String header) {
        String text = header.strip();
        Matcher quoted = QUOTED.matcher(text);
        String key = quoted.matches()
                ? quoted.group(1).replaceAll("\\\\(.)", "$1")
                : PLAIN.matcher(text).matches() ? text : "";
        return key.isEmpty() || key.length() > MAX_LENGTH ? null : key;
    }
}
