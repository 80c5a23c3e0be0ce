package dev.ttlstore.internal.value;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.MissingCodecException;
import dev.ttlstore.exception.ValueTooLargeException;

/** The codecs of a store: the built-in ones first, so that text is text whatever else is there. */
public final class Codecs {

    private final CodecFactory others;

    /**
     * Creates the codecs of a store.
     *
     * @param others finds codecs that are not built in
     */
    public Codecs(CodecFactory others) {
        this.others = others;
    }

    /**
     * Finds the codec of a class.
     *
     * @param type the class
     * @return its codec
     * @param <V> the class
     * @throws MissingCodecException if there is none
     */
    public <V> Codec<V> require(Class<V> type) {
        Codec<V> codec = basic(type);
        if (codec == null) {
            codec = others.codec(type);
        }
        if (codec == null) {
            throw new MissingCodecException(type);
        }
        return codec;
    }

    @SuppressWarnings("unchecked") // each branch has just compared the class
    private static <V> @Nullable Codec<V> basic(Class<V> type) {
        if (type == String.class) {
            return (Codec<V>) Codec.text();
        }
        if (type == byte[].class) {
            return (Codec<V>) Codec.bytes();
        }
        return type == Long.class ? (Codec<V>) Codec.longs() : null;
    }

    /** Encodes, and sees to it that a codec of somebody else's keeps the rules. */
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
     * An array that a codec may have kept, or may keep or change, is not the one that the store holds: rows are shared, by the
     * near cache among them. The built-in codecs do neither; {@link Codec#bytes()} copies by itself.
     */
    private static byte[] ownArray(Codec<?> codec, byte[] bytes) {
        boolean builtIn = codec == Codec.text() || codec == Codec.longs() || codec == Codec.bytes();
        return builtIn ? bytes : bytes.clone();
    }

    /** Without the cause, whose message may quote the value; where it was thrown is kept. */
    private static CodecException failure(String what, RuntimeException cause) {
        CodecException failure = new CodecException(
                what + ": its codec has thrown " + cause.getClass().getName());
        failure.setStackTrace(cause.getStackTrace());
        return failure;
    }

    /** Decodes, and sees to it that a codec of somebody else's keeps the rules. */
    static <V> V decode(Codec<V> codec, byte[] bytes, String group) {
        @Nullable V value;
        try {
            value = codec.decode(ownArray(codec, bytes));
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
