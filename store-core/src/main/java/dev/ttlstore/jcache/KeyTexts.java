package dev.ttlstore.jcache;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/**
 * The keys of a cache as texts. Equal keys have the same text, also after a restart and in other instances. A text stands for
 * itself. Everything else starts with '#'. Numbers can be read; other keys are encoded bytes, or, if these are too long for a
 * key of the store, their hash. Then the key itself is beside the value.
 *
 * @param readable whether texts and numbers stand for themselves; otherwise all keys are encoded
 * @param codec encodes the others
 * @param <K> the type of the keys
 */
record KeyTexts<K>(boolean readable, Codec<K> codec) {

    private static final char MARK = '#';
    private static final String BYTES = "#bytes:";
    private static final String HASH = "#sha256:";

    /** What a store accepts, in bytes. */
    private static final int MAX_LENGTH = 1_024;

    /** Classes whose texts can be read back. */
    private static final Map<Class<?>, Function<String, Object>> PLAIN = Map.of(
            Boolean.class, Boolean::valueOf,
            Byte.class, Byte::valueOf,
            Short.class, Short::valueOf,
            Integer.class, Integer::valueOf,
            Long.class, Long::valueOf,
            UUID.class, UUID::fromString);

    /** The same by their names in the texts of keys. */
    private static final Map<String, Function<String, Object>> PARSERS = PLAIN.entrySet().stream()
            .collect(Collectors.toUnmodifiableMap(plain -> plain.getKey().getSimpleName(), Map.Entry::getValue));

    /** Returns the text of a key. */
    String of(K key) {
        if (readable && key instanceof String text && isStorable(text)) {
            return text;
        }
        if (readable && PLAIN.containsKey(key.getClass())) {
            return MARK + key.getClass().getSimpleName() + ':' + key;
        }
        byte[] bytes = codec.encode(key);
        String text = BYTES + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        return text.length() <= MAX_LENGTH ? text : HASH + HexFormat.of().formatHex(sha256(bytes));
    }

    /** Returns whether a text is only the hash of its key. */
    static boolean isHash(String text) {
        return text.startsWith(HASH);
    }

    /** Returns the key that a text stands for. */
    @SuppressWarnings("unchecked") // the text is of a key
    K keyOf(String text, byte @Nullable [] beside) {
        if (beside != null) {
            return codec.decode(beside);
        } else if (text.charAt(0) != MARK) {
            return (K) text;
        } else if (text.startsWith(BYTES)) {
            return codec.decode(Base64.getUrlDecoder().decode(text.substring(BYTES.length())));
        }
        int colon = text.indexOf(':');
        Function<String, Object> parser = colon < 0 ? null : PARSERS.get(text.substring(1, colon));
        if (parser == null) {
            throw new CodecException("A key was not written by a cache; use the store's groups for other entries");
        }
        return (K) parser.apply(text.substring(colon + 1));
    }

    private static boolean isStorable(String text) {
        if (text.isEmpty() || text.charAt(0) == MARK || text.length() > MAX_LENGTH || text.indexOf('\0') >= 0) {
            return false;
        }
        return text.chars().allMatch(c -> c < 0x80)
                || (StandardCharsets.UTF_8.newEncoder().canEncode(text)
                        && text.getBytes(StandardCharsets.UTF_8).length <= MAX_LENGTH);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
