package dev.ttlstore.spring.session;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/** Attributes as bytes. Thread-safe. */
final class SessionAttributes {

    private static final Logger log = LoggerFactory.getLogger(SessionAttributes.class);

    private final Codec<Object> codec;

    /** Null in applications without servlets, whose sessions have no beans. */
    private final @Nullable SessionBeans beans;

    SessionAttributes(Codec<Object> codec, @Nullable SessionBeans beans) {
        this.codec = codec;
        this.beans = beans;
    }

    /**
     * Encodes an attribute. The result is empty if there is none, and for an exception that cannot be stored.
     *
     * @param drop takes it out of the session if it cannot be stored
     * @throws CodecException if it cannot be stored
     */
    Optional<byte[]> encode(String name, @Nullable Object value, BiConsumer<String, Object> drop) {
        if (value == null) {
            return Optional.empty();
        }
        if (beans != null && SessionBeans.isEnd(name, value)) {
            return Optional.of(mark());
        }
        try {
            return Optional.of(codec.encode(value));
        } catch (CodecException e) {
            String problem = "The attribute '" + name + "' of a session, of "
                    + value.getClass().getName() + ", cannot be stored. " + e.getMessage();
            if (value instanceof Throwable) {
                // Such as that of a failed login, with whatever has caused it. The next page tells less without it,
                // which is better than no page.
                log.warn("An exception is left out of a session. {}", problem);
                return Optional.empty();
            }
            // Or the error page, which saves the session once more, would fail as well.
            drop.accept(name, value);
            throw new CodecException(problem);
        }
    }

    /** Decodes all attributes. The result is null if one of them cannot be read. */
    @Nullable
    Map<String, Object> decode(Map<String, byte[]> stored) {
        Map<String, Object> attributes = new HashMap<>();
        Set<String> ends = new HashSet<>();
        for (Map.Entry<String, byte[]> attribute : stored.entrySet()) {
            if (isMark(attribute.getKey(), attribute.getValue())) {
                ends.add(attribute.getKey());
                continue;
            }
            try {
                attributes.put(attribute.getKey(), codec.decode(attribute.getValue()));
            } catch (CodecException e) {
                log.warn(
                        "A session counts as absent, because its attribute '{}' cannot be read. {}",
                        attribute.getKey(),
                        e.getMessage());
                return null;
            }
        }
        if (beans != null) {
            beans.addEnds(ends, attributes);
        }
        return attributes;
    }

    /** Returns what is stored of the end of a bean, which no value has. */
    private static byte[] mark() {
        return new byte[0];
    }

    private static boolean isMark(String attribute, byte[] stored) {
        return stored.length == 0 && attribute.startsWith(SessionBeans.END);
    }
}
