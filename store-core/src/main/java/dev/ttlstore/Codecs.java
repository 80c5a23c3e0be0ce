package dev.ttlstore;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.MissingCodecException;
import dev.ttlstore.exception.ValueTooLargeException;

/** The codecs of a store: the built-in ones first, so that text is text whatever else is there. */
final class Codecs {

    private final CodecFactory others;

    Codecs(CodecFactory others) {
        this.others = others;
    }

    <V> Codec<V> require(Class<V> type) {
        Codec<V> codec = BasicCodecs.FACTORY.codec(type);
        if (codec == null) {
            codec = others.codec(type);
        }
        if (codec == null) {
            throw new MissingCodecException(type);
        }
        return codec;
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
     * near cache among them. The built-in codecs do neither; {@link BasicCodecs#BYTES} copies by itself.
     */
    private static byte[] ownArray(Codec<?> codec, byte[] bytes) {
        boolean builtIn = codec == BasicCodecs.TEXT || codec == BasicCodecs.LONGS || codec == BasicCodecs.BYTES;
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
