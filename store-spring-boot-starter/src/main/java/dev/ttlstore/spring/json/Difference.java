package dev.ttlstore.spring.json;

import org.jspecify.annotations.Nullable;

/** Where two values differ, and how. */
final class Difference {

    private static final int MAX_PATH = 200;

    private final String what;
    private final StringBuilder path = new StringBuilder();

    Difference(@Nullable Object written, @Nullable Object read) {
        this.what = written != null && read != null && written.getClass() == read.getClass()
                ? name(written) + " would not be equal"
                : name(written) + " would become " + name(read);
    }

    private static String name(@Nullable Object value) {
        return value == null ? "null" : "a " + value.getClass().getTypeName();
    }

    Difference within(String step) {
        path.insert(0, path.isEmpty() || path.charAt(0) == '[' ? step : step + ".");
        return this;
    }

    @Override
    public String toString() {
        return path.isEmpty() ? what : "at '" + shortened(path) + "' " + what;
    }

    /** A path into deeply nested objects has no end. */
    static String shortened(CharSequence path) {
        return path.length() <= MAX_PATH ? path.toString() : path.subSequence(0, MAX_PATH) + "…";
    }
}
