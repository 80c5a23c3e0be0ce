package dev.ttlstore.spring.security;

import java.util.Date;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;

/**
 * A remember-me login as it is stored.
 *
 * @param username the name of the user
 * @param lastUsedMillis when the login was last used, in milliseconds since 1970
 * @param sealedToken the encrypted token
 */
@SuppressWarnings("JavaUtilDate") // that is what Spring Security has
record RememberedLogin(String username, long lastUsedMillis, String sealedToken) {

    static final Codec<RememberedLogin> CODEC = new OfFields();

    static RememberedLogin of(String username, Date lastUsed, String sealedToken) {
        return new RememberedLogin(username, lastUsed.getTime(), sealedToken);
    }

    Date lastUsed() {
        return new Date(lastUsedMillis);
    }

    private static final class OfFields implements Codec<RememberedLogin> {

        private final Fields fields = new Fields();

        @Override
        public byte[] encode(RememberedLogin login) {
            return fields.encode(List.of(login.username, Long.toString(login.lastUsedMillis), login.sealedToken));
        }

        @Override
        public RememberedLogin decode(byte[] bytes) {
            List<@Nullable String> parts = fields.decode(bytes);
            try {
                return new RememberedLogin(
                        Objects.requireNonNull(parts.get(0)),
                        Long.parseLong(Objects.requireNonNull(parts.get(1))),
                        Objects.requireNonNull(parts.get(2)));
            } catch (IndexOutOfBoundsException | NumberFormatException | NullPointerException e) {
                throw Fields.malformed();
            }
        }
    }
}
