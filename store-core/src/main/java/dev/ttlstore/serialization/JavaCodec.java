package dev.ttlstore.serialization;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/**
 * Encodes values of any class by Java's serialization, records also if they are not Serializable. It writes and reads allowed classes
 * only, so that what cannot be read later is refused when it is written. Thread-safe.
 */
public final class JavaCodec implements Codec<Object> {

    private final AllowedClasses allowed;
    private final String property;
    private final @Nullable ClassLoader loader;

    /**
     * Creates a codec.
     *
     * @param allowed the classes that values may consist of
     * @param property the name of the property that lists them, for messages
     * @param loader finds the classes; null for the loader of this class
     */
    public JavaCodec(AllowedClasses allowed, String property, @Nullable ClassLoader loader) {
        this.allowed = Objects.requireNonNull(allowed, "'allowed' must not be null");
        this.property = Objects.requireNonNull(property, "'property' must not be null");
        this.loader = loader;
    }

    @Override
    public byte[] encode(Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Output output = new Output(bytes)) {
            output.writeObject(value);
        } catch (NotSerializableException e) {
            throw new CodecException("A value cannot be stored, because " + e.getMessage()
                    + " is not Serializable; make it so, or make it a record");
        } catch (CodecException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new CodecException("A value of " + value.getClass().getName() + " cannot be serialized: "
                    + e.getClass().getName());
        }
        return bytes.toByteArray();
    }

    @Override
    public Object decode(byte[] bytes) {
        try (Input input = new Input(new ByteArrayInputStream(bytes))) {
            input.setObjectInputFilter(allowed.filter());
            return Objects.requireNonNull(input.readObject());
        } catch (InvalidClassException | ClassNotFoundException e) {
            throw new CodecException(
                    "A value cannot be deserialized, because its class has changed: " + e.getMessage());
        } catch (CodecException e) {
            throw e;
        } catch (IOException | RuntimeException | LinkageError e) {
            // Without the cause, whose message may have parts of the value.
            throw new CodecException(
                    "A value cannot be deserialized: " + e.getClass().getName());
        }
    }

    private void require(Class<?> type) {
        if (!allowed.contains(type)) {
            Class<?> named = type;
            while (named.isArray()) {
                named = named.getComponentType();
            }
            throw new CodecException(
                    "Objects of " + named.getName() + " may not be deserialized; if they only hold values, add '"
                            + named.getName() + "' or its package to '" + property + "'");
        }
    }

    /** Checks the classes that it writes. */
    private final class Output extends ObjectOutputStream {

        /** Whether an object could not be written: Java then writes the exception behind it, which nobody reads. */
        private boolean failed;

        /** The records that are not Serializable, each replaced once, so that two references to it stay references. */
        private final Map<Object, PlainRecord> replaced = new IdentityHashMap<>();

        private Output(OutputStream bytes) throws IOException {
            super(bytes);
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object value) {
            if (!PlainRecord.isOne(value)) {
                return value;
            }
            require(value.getClass());
            return replaced.computeIfAbsent(value, PlainRecord::of);
        }

        /** Called for each class of an object, and for those that it extends. */
        @Override
        protected void annotateClass(Class<?> type) {
            failed |= IOException.class.isAssignableFrom(type);
            if (!failed) {
                require(type);
            }
        }

        @Override
        protected void annotateProxyClass(Class<?> type) {
            require(type);
        }
    }

    /** Says which class it refuses; the filter would only say that it does. */
    private final class Input extends ObjectInputStream {

        private Input(InputStream bytes) throws IOException {
            super(bytes);
            enableResolveObject(true);
        }

        @Override
        protected Object resolveObject(Object value) {
            return value instanceof PlainRecord plain ? plain.restore() : value;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            Class<?> type = find(description);
            require(type);
            return type;
        }

        private Class<?> find(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            if (loader != null) {
                try {
                    return Class.forName(description.getName(), false, loader);
                } catch (ClassNotFoundException e) {
                    return super.resolveClass(description); // which also knows the primitive types
                }
            }
            return super.resolveClass(description);
        }

        /** Refuses proxies, which run what they hold. */
        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) {
            throw new CodecException("Proxies may not be deserialized; store a class that holds values instead");
        }
    }
}
