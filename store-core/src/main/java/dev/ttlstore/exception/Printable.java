package dev.ttlstore.exception;

import java.util.Locale;

/**
 * Escapes names for a line of a log or a terminal. Groups and keys may contain characters that begin a new line, move
 * the cursor or turn the direction of writing, and somebody could use them to forge output. All exceptions, logs and
 * commands of the store show names in this way.
 *
 * @since 0.1
 * @see StoreException
 */
public final class Printable {

    private Printable() {}

    /**
     * Replaces characters that are not shown by their codes, as they are written in a string of Java.
     *
     * @param text any text
     * @return a text of one line
     */
    public static String of(String text) {
        return text.codePoints().allMatch(Printable::isShown) ? text : replaced(text);
    }

    private static String replaced(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (isShown(c)) {
                shown.appendCodePoint(c);
            } else {
                for (char unit : Character.toChars(c)) {
                    shown.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                }
            }
        });
        return shown.toString();
    }

    private static boolean isShown(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
