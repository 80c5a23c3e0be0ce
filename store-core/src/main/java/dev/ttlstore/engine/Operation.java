package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * What is to be done to one row. {@code engine.commit.Decision} says what that means.
 *
 * @param key the name of the row
 * @param condition what must hold of the live row
 * @param effect what happens to it then
 * @param returning whether the outcome needs the value that the row had; an engine may leave it out otherwise
 * @since 0.1
 */
public record Operation(RowKey key, Condition condition, Effect effect, boolean returning) {

    /**
     * Creates an operation whose outcome does not need the value that the row had.
     *
     * @param key the name of the row
     * @param condition what must hold of the live row
     * @param effect what happens to it then
     */
    public Operation(RowKey key, Condition condition, Effect effect) {
        this(key, condition, effect, false);
    }

    /** Returns how much memory its values take: the value to put and the expected value. */
    long bytes() {
        return length(effect.value()) + length(condition.value());
    }

    private static long length(byte @Nullable [] value) {
        return value == null ? 0 : value.length;
    }

    /** Returns a text without the key and the values, which may be secrets. */
    @Override
    public String toString() {
        return "Operation[group=" + key.group() + ", condition=" + condition.kind() + ", effect=" + effect.kind() + "]";
    }
}
