package dev.ttlstore.internal.value;

import java.lang.reflect.Type;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.TypeRef;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.MissingCodecException;
import dev.ttlstore.exception.ValueTooLargeException;

/** The codecs of a store. The built-in ones come first, so that a factory cannot replace them. Thread-safe. */
public final class Codecs {

    private static final Logger log = LoggerFactory.getLogger(Codecs.class);

    /** Groups of tenants come without end, so the types of not all are remembered. */
    private static final int MAX_GROUPS = 10_000;

    /** Marks a group for which a warning was logged. */
    private static final Type WARNED = void.class;

    private final CodecFactory others;

    /** The types by which groups are used. */
    private final ConcurrentMap<String, Type> types = new ConcurrentHashMap<>();

    /**
     * Creates the codecs of a store.
     *
     * @param others finds codecs that are not built in
     */
    public Codecs(CodecFactory others) {
        this.others = others;
    }

    /**
     * Finds the codec of a type for a group, and warns if the group was used with another type before. A group may also be read as
     * text, bytes or numbers.
     *
     * @param type the type, which may be generic
     * @param group the full name of the group
     * @return the codec
     * @param <V> the type
     * @throws MissingCodecException if there is none
     */
    public <V> Codec<V> require(TypeRef<V> type, String group) {
        Codec<V> codec = require(type);
        if (!(type.type() instanceof Class<?> plain) || basic(plain) == null) {
            warnOfTwo(group, type.type());
        }
        return codec;
    }

    /**
     * Finds the codec of a type.
     *
     * @param type the type, which may be generic
     * @return its codec
     * @param <V> the type
     * @throws MissingCodecException if there is none
     */
    @SuppressWarnings("unchecked") // a reference to a class says that its values are of the class
    public <V> Codec<V> require(TypeRef<V> type) {
        Codec<V> codec = type.type() instanceof Class<?> plain ? (Codec<V>) find(plain) : others.codec(type);
        if (codec == null) {
            throw new MissingCodecException(type.type());
        }
        return codec;
    }

    private <V> @Nullable Codec<V> find(Class<V> type) {
        Codec<V> basic = basic(type);
        return basic == null ? others.codec(type) : basic;
    }

    /** Warns of a group that is used by two types: each reads what the other has written, and may drop what it does not know. */
    private void warnOfTwo(String group, Type type) {
        Type first = types.get(group);
        if (first == null && types.size() < MAX_GROUPS) {
            first = types.putIfAbsent(group, type);
        }
        if (first != null && first != WARNED && !first.equals(type) && types.replace(group, first, WARNED)) {
            log.warn(
                    "The group '{}' is used with two types, {} and {}: each may lose what the other has written. Use one type"
                            + " for a group",
                    group,
                    first.getTypeName(),
                    type.getTypeName());
        }
    }

    @SuppressWarnings("unchecked") // each branch has compared the class
    private static <V> @Nullable Codec<V> basic(Class<V> type) {
        if (type == String.class) {
            return (Codec<V>) Codec.text();
        }
        if (type == byte[].class) {
            return (Codec<V>) Codec.bytes();
        }
        return type == Long.class ? (Codec<V>) Codec.longs() : null;
    }

    /** Encodes a value, and checks that a foreign codec keeps the rules. */
    static <V> byte[] encode(Codec<V> codec, V value, String group, int maxSize) {
        byte @Nullable [] bytes;
        try {
            bytes = codec.encode(value);
        } catch (CodecException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failure("A value for group '" + group + "' could not be encoded", e);
        }
        if (bytes == null) {
            throw new CodecException("The codec of group '" + group + "' has encoded a value as null");
        }
        if (bytes.length > maxSize) {
            throw new ValueTooLargeException(group, bytes.length, maxSize);
        }
        return ownArray(codec, bytes);
    }

    /**
     * Copies an array that a codec may have kept, or may keep or change. The store must not hold such an array,
     * because rows are shared, for example by the near cache. The built-in codecs do neither; {@link Codec#bytes()}
     * copies by itself.
     */
    private static byte[] ownArray(Codec<?> codec, byte[] bytes) {
        boolean builtIn = codec == Codec.text() || codec == Codec.longs() || codec == Codec.bytes();
        return builtIn ? bytes : bytes.clone();
    }

    /** Omits the cause, because its message may quote the value. Keeps its stack trace. */
    private static CodecException failure(String what, RuntimeException cause) {
        CodecException failure = new CodecException(
                what + ": its codec has thrown " + cause.getClass().getName());
        failure.setStackTrace(cause.getStackTrace());
        return failure;
    }

    /** Decodes a value from bytes that others use, and checks that a foreign codec keeps the rules. */
    static <V> V decode(Codec<V> codec, byte[] bytes, String group) {
        return decodeAny(codec, ownArray(codec, bytes), group);
    }

    /** Decodes a value from bytes that nobody else uses, and checks that a foreign codec keeps the rules. */
    @SuppressWarnings("unchecked") // the values of this codec are arrays
    static <V> V decodeOwn(Codec<V> codec, byte[] bytes, String group) {
        return codec == Codec.bytes() ? (V) bytes : decodeAny(codec, bytes, group);
    }

    private static <V> V decodeAny(Codec<V> codec, byte[] bytes, String group) {
        @Nullable V value;
        try {
            value = codec.decode(bytes);
        } catch (CodecException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failure("A value of group '" + group + "' could not be decoded", e);
        }
        if (value == null) {
            throw new CodecException("The codec of group '" + group + "' has decoded a value as null");
        }
        return value;
    }
}
