package dev.ttlstore.spring.security;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;

/**
 * A login at a provider as it is stored. The user stays encoded, so that an entry can move and end without reading it.
 *
 * @param sessionId the id of the application's session
 * @param logins the hashes by which a logout finds it
 * @param headers what a request needs that ends the session
 * @param user the encoded user
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredOidcSession(String sessionId, List<String> logins, Map<String, String> headers, byte[] user) {

    static final Codec<StoredOidcSession> CODEC = new OfFields();

    StoredOidcSession withSessionId(String newId) {
        return new StoredOidcSession(newId, logins, headers, user);
    }

    /** Returns a text without ids and the user. */
    @Override
    public String toString() {
        return "StoredOidcSession[logins=" + logins.size() + "]";
    }

    private static final class OfFields implements Codec<StoredOidcSession> {

        private static final int LOGINS = 3;

        /** Has a character for each byte, so that any bytes are a text. */
        private static final Charset BYTES = StandardCharsets.ISO_8859_1;

        private final Fields fields = new Fields();

        @Override
        public byte[] encode(StoredOidcSession session) {
            List<@Nullable String> parts = new ArrayList<>();
            parts.add(session.sessionId);
            parts.add(new String(session.user, BYTES));
            parts.add(Integer.toString(session.logins.size()));
            parts.addAll(session.logins);
            session.headers.forEach((name, value) -> {
                parts.add(name);
                parts.add(value);
            });
            return fields.encode(parts);
        }

        @Override
        public StoredOidcSession decode(byte[] bytes) {
            List<@Nullable String> parts = fields.decode(bytes);
            try {
                int headers = LOGINS + Integer.parseInt(required(parts.get(2)));
                List<String> logins = parts.subList(LOGINS, headers).stream()
                        .map(OfFields::required)
                        .toList();
                Map<String, String> named = new LinkedHashMap<>();
                for (int i = headers; i < parts.size(); i += 2) {
                    named.put(required(parts.get(i)), required(parts.get(i + 1)));
                }
                byte[] user = required(parts.get(1)).getBytes(BYTES);
                return new StoredOidcSession(required(parts.get(0)), logins, named, user);
            } catch (IndexOutOfBoundsException | IllegalArgumentException | NullPointerException e) {
                throw Fields.malformed();
            }
        }

        private static String required(@Nullable String part) {
            return Objects.requireNonNull(part);
        }
    }
}
