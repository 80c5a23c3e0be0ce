package dev.ttlstore.serialization;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.exception.CodecException;

/**
 * Encodes values of any class by Java's serialization, records and optionals also if they are not Serializable. It writes and reads allowed classes
 * only, so that what cannot be read later is refused when it is written. Bytes that declare more than they contain are refused, too.
 * Thread-safe.
 *
 * <pre>{@code
 * Codec<Object> codec = new JavaCodec(AllowedClasses.of(List.of("com.example.*")), "app.classes", null);
 * Group<Object> drafts = store.group("drafts", codec);
 * }</pre>
 *
 * @since 0.1
 * @see AllowedClasses
 */
public final class JavaCodec implements Codec<Object> {

    private final AllowedClasses allowed;
    private final String property;
    private final @Nullable ClassLoader loader;
    private final boolean strict;

    /**
     * Creates a codec.
     *
     * @param allowed the classes that values may consist of
     * @param property the name of the property that lists further ones, for messages
     * @param loader finds the classes; null for the context class loader of the thread that decodes, and then that of this class
     */
    public JavaCodec(AllowedClasses allowed, String property, @Nullable ClassLoader loader) {
        this(allowed, property, loader, true);
    }

    private JavaCodec(AllowedClasses allowed, String property, @Nullable ClassLoader loader, boolean strict) {
        this.allowed = Objects.requireNonNull(allowed, "'allowed' must not be null");
        this.property = Objects.requireNonNull(property, "'property' must not be null");
        this.loader = loader;
        this.strict = strict;
    }

    /**
     * Returns a codec that also accepts objects with fields from a superclass that is not Serializable. Java loses these fields, and the
     * tests of JCache demand that.
     *
     * @return the codec
     */
    public JavaCodec losingInheritedFields() {
        return new JavaCodec(allowed, property, loader, false);
    }

    @Override
    public byte[] encode(Object value) {
        Set<String> made = new HashSet<>(StreamScan.STAND_INS);
        byte[] bytes = serialize(value, made);
        StreamScan scan = StreamScan.of(bytes, made);
        if (!scan.isBearable()) {
            throw new CodecException("A value of " + value.getClass().getName()
                    + " cannot be stored, because it could not be read: " + ReadLimits.UNBEARABLE);
        } else if (scan.isCyclic()) {
            throw new CodecException("A value of " + value.getClass().getName()
                    + " cannot be stored, because a record in it has a part that refers back to the record, and a record is made"
                    + " after its parts; let the part have the id of the record instead, or make the record a class that is"
                    + " Serializable");
        }
        return bytes;
    }

    private byte[] serialize(Object value, Set<String> made) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Output output = new Output(bytes, made)) {
            output.writeObject(value);
            output.refusals.throwIfAny();
        } catch (NotSerializableException e) {
            throw new CodecException("A value cannot be stored, because " + e.getMessage()
                    + " is not Serializable; make it so, or make it a record");
        } catch (CodecException e) {
            throw e;
        } catch (IOException | RuntimeException | StackOverflowError e) {
            throw new CodecException("A value of " + value.getClass().getName() + " cannot be serialized: "
                    + e.getClass().getName());
        }
        return bytes.toByteArray();
    }

    @Override
    public Object decode(byte[] bytes) {
        ReadLimits limits = new ReadLimits(bytes);
        try (Input input = new Input(bytes)) {
            input.setObjectInputFilter(limits);
            return Objects.requireNonNull(input.readObject());
        } catch (InvalidClassException | ClassNotFoundException e) {
            throw new CodecException(
                    limits.refusal() == null
                            ? "A value cannot be deserialized, because its class has changed: " + e.getMessage()
                            : "A value cannot be deserialized, because " + limits.refusal());
        } catch (CodecException e) {
            throw e;
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
            // Without the cause, whose message may have parts of the value.
            throw new CodecException(
                    "A value cannot be deserialized: " + e.getClass().getName());
        }
    }

    private Class<?> find(String name) throws ClassNotFoundException {
        ClassLoader first = loader != null ? loader : Thread.currentThread().getContextClassLoader();
        return Class.forName(name, false, first != null ? first : JavaCodec.class.getClassLoader());
    }

    /** Checks the classes that it writes. All that it refuses is known at the end. */
    private final class Output extends ObjectOutputStream {

        private final Refusals refusals = new Refusals();

        /** The records and optionals that are not Serializable, each replaced once, so that two references to it stay references. */
        private final IdentityHashMap<Object, Serializable> replaced = new IdentityHashMap<>();

        /** The names of the classes that are made after their parts. */
        private final Set<String> madeLast;

        private Output(OutputStream bytes, Set<String> madeLast) throws IOException {
            super(bytes);
            this.madeLast = madeLast;
            enableReplaceObject(true);
        }

        /** Leaves out what cannot be written, to learn about the rest. */
        @Override
        protected @Nullable Object replaceObject(@Nullable Object object) {
            if (object == null) {
                return null;
            } else if (object instanceof Serializable) {
                if (strict) {
                    refusals.checkInherited(object);
                }
                return object;
            }
            if (PlainRecord.isOne(object)) {
                refusals.check(object.getClass());
                return replaced.computeIfAbsent(object, PlainRecord::of);
            }
            PlainOptional optional = PlainOptional.of(object);
            if (optional != null) {
                return replaced.computeIfAbsent(object, each -> optional);
            }
            refusals.unserializable.add(object.getClass().getName());
            return null;
        }

        /** Called for each class of an object, and for those that it extends. */
        @Override
        protected void annotateClass(Class<?> type) {
            if (type.isRecord()) {
                madeLast.add(type.getName());
            }
            refusals.check(type);
        }

        @Override
        protected void annotateProxyClass(Class<?> type) {
            refusals.check(type);
        }
    }

    /** Checks the classes that the bytes name: those of all objects, and those that they extend. */
    private final class Input extends ObjectInputStream {

        private final byte[] bytes;

        private Input(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
            this.bytes = bytes;
            enableResolveObject(true);
        }

        @Override
        protected Object resolveObject(Object value) {
            return value instanceof PlainRecord plain
                    ? plain.restore()
                    : value instanceof PlainOptional optional ? optional.restore() : value;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            Class<?> type = find(description);
            if (!allowed.contains(type)) {
                refuse(type);
            }
            return type;
        }

        private Class<?> find(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            try {
                return JavaCodec.this.find(description.getName());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(description); // which also knows the primitive types
            }
        }

        private void refuse(Class<?> first) {
            Refusals refusals = new Refusals();
            refusals.check(first);
            for (String name : StreamScan.classNames(bytes)) {
                try {
                    refusals.check(JavaCodec.this.find(name));
                } catch (ClassNotFoundException e) {
                    // It is not the reason.
                }
            }
            refusals.throwIfAny();
        }

        /** Refuses proxies, which run what they hold. */
        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) {
            throw new CodecException("Proxies may not be deserialized; store a class that holds values instead");
        }
    }

    /** The classes for which a value cannot be stored, all named at once. Not thread-safe. */
    private final class Refusals {

        private final Set<String> refused = new LinkedHashSet<>();
        private final Set<String> unserializable = new LinkedHashSet<>();
        private final Set<String> incomplete = new LinkedHashSet<>();

        private void check(Class<?> type) {
            if (!allowed.contains(type)) {
                refused.add(AllowedClasses.elementOf(type).getName());
            }
        }

        /** Checks what an object inherits. */
        private void checkInherited(Object written) {
            String problem = InheritedState.problem(written);
            if (problem != null) {
                incomplete.add(problem);
            }
        }

        /** @throws CodecException if there are any, which says what to do */
        private void throwIfAny() {
            StringBuilder message = new StringBuilder();
            if (!unserializable.isEmpty()) {
                boolean one = unserializable.size() == 1;
                message.append("A value cannot be stored, because ")
                        .append(listed(unserializable, ""))
                        .append(
                                one
                                        ? " is not Serializable; make it so, or make it a record"
                                        : " are not Serializable; make them so, or make them records");
            }
            if (!incomplete.isEmpty()) {
                message.append(message.isEmpty() ? "" : ". ")
                        .append("A value would not come back: ")
                        .append(String.join("; ", incomplete))
                        .append(". Let the class that is extended implement Serializable, too");
            }
            if (!refused.isEmpty()) {
                message.append(message.isEmpty() ? "" : ". ")
                        .append("Objects of ")
                        .append(listed(refused, ""))
                        .append(" may not be deserialized; if they only hold values, add ")
                        .append(listed(refused, "'"))
                        .append(refused.size() == 1 ? " or its package to '" : " or their packages to '")
                        .append(property)
                        .append('\'');
            }
            if (!message.isEmpty()) {
                throw new CodecException(message.toString());
            }
        }

        private static String listed(Collection<String> names, String quote) {
            return names.stream().map(name -> quote + name + quote).collect(Collectors.joining(", "));
        }
    }
}
