package dev.ttlstore.export;

import java.io.ByteArrayOutputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.StoredEntry;
import dev.ttlstore.exception.CodecException;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * Converts entries to lines of JSON and back. A value that is UTF-8 text is written as {@code value}, any other as {@code base64}.
 * Thread-safe.
 */
final class EntryLines {

    private static final String GROUP = "group";
    private static final String KEY = "key";
    private static final String VALUE = "value";
    private static final String BASE64 = "base64";
    private static final String VERSION = "version";
    private static final String CREATED_AT = "createdAt";
    private static final String UPDATED_AT = "updatedAt";
    private static final String EXPIRES_AT = "expiresAt";

    private static final Set<String> REQUIRED = Set.of(GROUP, KEY, CREATED_AT, UPDATED_AT);

    private final JsonFactory json = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE) // a line has a limit of its own
                    .build())
            .build();

    /** A line is not an entry. The message says why, without anything of the line. */
    static final class MalformedLineException extends Exception {

        @java.io.Serial
        private static final long serialVersionUID = 1L;

        MalformedLineException(String problem) {
            super(problem);
        }
    }

    /** Returns the line of an entry, with its end. */
    byte[] write(StoredEntry entry) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(entry.value().length + 256);
        try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), line)) {
            out.writeStartObject();
            out.writeStringProperty(GROUP, entry.group());
            out.writeStringProperty(KEY, entry.key());
            String text = text(entry.value());
            if (text != null) {
                out.writeStringProperty(VALUE, text);
            } else {
                out.writeStringProperty(BASE64, Base64.getEncoder().encodeToString(entry.value()));
            }
            out.writeNumberProperty(VERSION, entry.version());
            out.writeStringProperty(CREATED_AT, entry.createdAt().toString());
            out.writeStringProperty(UPDATED_AT, entry.updatedAt().toString());
            Instant expiresAt = entry.expiresAt();
            if (expiresAt != null) {
                out.writeStringProperty(EXPIRES_AT, expiresAt.toString());
            }
            out.writeEndObject();
        }
        line.write('\n');
        return line.toByteArray();
    }

    /** Decodes UTF-8; null if the bytes are something else. */
    private static @Nullable String text(byte[] value) {
        try {
            return Codec.text().decode(value);
        } catch (CodecException e) {
            return null;
        }
    }

    /**
     * Reads a line.
     *
     * @param line the line, with or without its end
     * @return the entry
     * @throws MalformedLineException if it is not the line of an entry
     */
    StoredEntry read(byte[] line) throws MalformedLineException {
        try (JsonParser in = json.createParser(ObjectReadContext.empty(), strict(line))) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedLineException("it is not a JSON object");
            }
            Fields fields = new Fields();
            while (in.nextToken() != JsonToken.END_OBJECT) {
                fields.read(in.currentName(), in);
            }
            if (in.nextToken() != null) {
                throw new MalformedLineException("there is something after the JSON object");
            }
            return fields.entry();
        } catch (StreamReadException e) { // whose message may contain a part of the value
            int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
            throw new MalformedLineException("it is not valid JSON" + (column > 0 ? ", at column " + column : ""));
        } catch (JacksonException e) {
            throw new MalformedLineException("it is not valid JSON");
        }
    }

    /** The parser of bytes takes forms of UTF-8 that are longer than need be. */
    private static String strict(byte[] line) throws MalformedLineException {
        String text = text(line);
        if (text == null) {
            throw new MalformedLineException("it is not UTF-8");
        }
        return text;
    }

    /** The fields of a line that were read so far. */
    private static final class Fields {
        private String group = "";
        private String key = "";
        private byte @Nullable [] value;
        private long version;
        private Instant createdAt = Instant.EPOCH;
        private Instant updatedAt = Instant.EPOCH;
        private @Nullable Instant expiresAt;
        private final Set<String> missing = new TreeSet<>(REQUIRED);

        private void read(String name, JsonParser in) throws MalformedLineException {
            JsonToken token = in.nextToken();
            boolean number = name.equals(VERSION);
            if (token != (number ? JsonToken.VALUE_NUMBER_INT : JsonToken.VALUE_STRING)) {
                throw new MalformedLineException(
                        isKnown(name)
                                ? "'" + name + "' must be a " + (number ? "whole number" : "string")
                                : unknown(name));
            }
            switch (name) {
                case GROUP -> group = in.getString();
                case KEY -> key = in.getString();
                case VALUE, BASE64 -> value(name, in.getString());
                case VERSION -> version = number(in);
                case CREATED_AT -> createdAt = time(name, in.getString());
                case UPDATED_AT -> updatedAt = time(name, in.getString());
                case EXPIRES_AT -> expiresAt = time(name, in.getString());
                default -> throw new MalformedLineException(unknown(name));
            }
            boolean unused = missing.remove(name);
        }

        private static long number(JsonParser in) throws MalformedLineException {
            if (in.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
                throw new MalformedLineException("'" + VERSION + "' must be a whole number of 64 bits");
            }
            return in.getLongValue();
        }

        private static boolean isKnown(String name) {
            return REQUIRED.contains(name)
                    || Set.of(VALUE, BASE64, VERSION, EXPIRES_AT).contains(name);
        }

        private static String unknown(String name) {
            return (name.matches("[A-Za-z0-9_-]{1,40}") ? "'" + name + "' is" : "it has a field that is")
                    + " not a field of an entry; these are: group, key, value or base64, version, createdAt, updatedAt, expiresAt";
        }

        private void value(String name, String text) throws MalformedLineException {
            if (value != null) {
                throw new MalformedLineException("it has both 'value' and 'base64'");
            }
            if (name.equals(VALUE)) {
                try {
                    value = Codec.text().encode(text);
                } catch (CodecException e) {
                    throw new MalformedLineException(
                            "'value' has half of a surrogate pair; write such bytes as 'base64'");
                }
                return;
            }
            try {
                value = Base64.getDecoder().decode(text);
            } catch (IllegalArgumentException e) {
                throw new MalformedLineException("'base64' is not Base64");
            }
        }

        private static Instant time(String name, String text) throws MalformedLineException {
            try {
                return Instant.parse(text);
            } catch (DateTimeException e) {
                throw new MalformedLineException("'" + name + "' must be a time such as 2026-01-31T12:00:00Z");
            }
        }

        private StoredEntry entry() throws MalformedLineException {
            if (!missing.isEmpty()) {
                throw new MalformedLineException("it has no " + String.join(", no ", missing));
            }
            byte[] bytes = value;
            if (bytes == null) {
                throw new MalformedLineException("it has neither 'value' nor 'base64'");
            }
            return new StoredEntry(group, key, bytes, version, createdAt, updatedAt, expiresAt);
        }
    }
}
