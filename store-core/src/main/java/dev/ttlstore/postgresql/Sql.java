package dev.ttlstore.postgresql;

import java.time.Clock;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * The text of the statements of one store. Templates name tables as {@code @entry}, the server's time in milliseconds as
 * {@code {now}} and in microseconds as {@code {micros}}. {@code {clock}} is the server's time in milliseconds even if the store has
 * another clock, for what concerns nodes and not entries. Thread-safe.
 */
final class Sql {

    private static final String NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    private static final String MICROS = "floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

    /** The largest time in microseconds from which versions can be made. */
    private static final long LAST_MICROS = 1L << 56;

    private final String schema;
    private final @Nullable InstantSource clock;
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    /**
     * Creates the texts.
     *
     * @param schema the name of the schema
     * @param clock replaces the server's time if it is not a clock of the system
     */
    Sql(String schema, InstantSource clock) {
        this.schema = schema;
        this.clock = isSystem(clock) ? null : clock;
    }

    private static boolean isSystem(InstantSource clock) {
        return clock.equals(InstantSource.system())
                || (clock instanceof Clock zoned && zoned.equals(Clock.system(zoned.getZone())));
    }

    /** Tests whether the time is the server's. */
    boolean isServerTime() {
        return clock == null;
    }

    /** The name of the schema, quoted. */
    String schema() {
        return quoted(schema);
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Returns the text of a template. */
    String of(String template) {
        String text = texts.get(template);
        if (text == null) {
            text = template.replace("@", schema() + '.').replace("{clock}", NOW);
            if (clock == null) {
                text = text.replace("{now}", NOW).replace("{micros}", MICROS);
            }
            texts.put(template, text);
        }
        return clock == null ? text : at(Times.limited(clock), text);
    }

    private static String at(long millis, String text) {
        if (text.indexOf('{') < 0) {
            return text;
        }
        return text.replace("{now}", millis + "::bigint").replace("{micros}", micros(millis) + "::bigint");
    }

    /** Converts a time in milliseconds to one in microseconds, from which versions can be made. */
    static long micros(long millis) {
        return millis <= 0 ? 0 : millis >= LAST_MICROS / 1_000 ? LAST_MICROS : millis * 1_000;
    }
}
