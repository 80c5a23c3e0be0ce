package dev.ttlstore.spring.cache;

import java.util.Arrays;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.support.NullValue;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.serialization.JavaCodec;

/**
 * Encodes the values of a cache: a byte that says whether there is a value or a cached null, then the value. What cannot be decoded, such
 * as a value of an earlier release of the application, is no error, because a cache can load it again.
 */
final class CacheCodec implements Codec<Object> {

    /** Stands for a value that cannot be decoded. */
    static final Object UNREADABLE = new Object();

    private static final Logger log = LoggerFactory.getLogger(CacheCodec.class);

    private static final byte NULL = 0;
    private static final byte VALUE = 1;

    private final String cache;
    private final Codec<Object> values;

    CacheCodec(String cache, Codec<Object> values) {
        this.cache = cache;
        this.values = values;
    }

    @Override
    public byte[] encode(Object value) {
        if (value instanceof NullValue) {
            return new byte[] {NULL};
        }
        byte[] encoded;
        try {
            encoded = values.encode(value);
        } catch (CodecException e) {
            String remedy = values instanceof JavaCodec
                    ? ". 'store.cache-manager.caches." + cache
                            + ".type' stores values of one type as JSON, which need not be Serializable"
                    : "";
            throw new CodecException("The cache '" + cache + "' cannot store a value. " + e.getMessage() + remedy);
        }
        byte[] marked = new byte[encoded.length + 1];
        marked[0] = VALUE;
        System.arraycopy(encoded, 0, marked, 1, encoded.length);
        return marked;
    }

    @Override
    public Object decode(byte[] bytes) {
        if (bytes.length == 1 && bytes[0] == NULL) {
            return NullValue.INSTANCE;
        }
        try {
            if (bytes.length > 0 && bytes[0] == VALUE) {
                return values.decode(Arrays.copyOfRange(bytes, 1, bytes.length));
            }
            log.warn("The cache '{}' has an entry that is not of a cache; it counts as absent", cache);
        } catch (CodecException e) {
            log.warn("The cache '{}' has a value that cannot be read; it counts as absent. {}", cache, e.getMessage());
        }
        return UNREADABLE;
    }
}
