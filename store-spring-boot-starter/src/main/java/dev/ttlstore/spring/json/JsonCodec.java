package dev.ttlstore.spring.json;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Encodes values of one type as JSON. The first write checks the type, and reads its value back and compares it. That finds
 * constructors that keep something else than they take. If the check refuses the type, each later write reads its value back, too. So
 * do writes of values whose type does not say which classes they consist of, and of values with a part that comes back in another form.
 */
final class JsonCodec<V> implements Codec<V> {

    private final String name;
    private final JavaType type;
    private final JsonTypes types;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    /** Tests whether what is known of the type is known of a value; null until one was written. */
    private volatile @Nullable ClassTest test;

    JsonCodec(Type type, JsonMapper mapper, JsonTypes types) {
        this.name = type.getTypeName();
        this.type = mapper.constructType(type);
        this.types = types;
        this.reader = mapper.readerFor(this.type);
        this.writer = mapper.writerFor(this.type);
    }

    @Override
    public byte[] encode(V value) {
        ClassTest known = test;
        ClassTest looked = known == null ? types.test(type) : known;
        byte[] json;
        try {
            json = writer.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw new CodecException("A " + name + " cannot be written as JSON (" + JsonProblems.ofWriting(e) + ")"
                    + JsonProblems.remedyOfWriting(e));
        }
        if (known == null || !known.passes(value)) {
            requireReadBack(value, json);
            test = looked;
        }
        return json;
    }

    private void requireReadBack(V value, byte[] json) {
        Object again;
        try {
            again = reader.readValue(json);
        } catch (JacksonException e) {
            throw new CodecException("A " + name + " could not be read from JSON again (" + JsonProblems.ofReading(e)
                    + "). " + JsonProblems.remedy(e));
        }
        String difference = types.readBack().difference(value, again);
        if (difference != null) {
            throw new CodecException(
                    "A " + name + " would not be the same after reading: " + difference + ". " + ReadBack.REMEDY);
        }
    }

    /** Omits the cause and its message, because they quote the value. */
    @Override
    public V decode(byte[] bytes) {
        V value;
        try {
            value = reader.readValue(bytes);
        } catch (JacksonException e) {
            throw new CodecException("A " + name + " cannot be read from the stored JSON (" + JsonProblems.ofReading(e)
                    + "); keep the class able to read what earlier versions of it wrote");
        }
        if (value == null) {
            throw new CodecException("A " + name + " cannot be read from the stored JSON null");
        }
        return value;
    }
}
