package dev.ttlstore;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A generic type that is known at runtime. Write a subclass where it is used, with the type between the angle brackets:
 *
 * <pre>{@code
 * record Invite(String mail) {}
 *
 * Group<List<Invite>> batches = store.group("batches", new TypeRef<List<Invite>>() {});
 * }</pre>
 *
 * <p>Two references to the same type are equal.
 *
 * @param <V> the type
 * @since 0.1
 * @see Keyspace#group(String,TypeRef)
 * @see CodecFactory
 */
@SuppressWarnings("unused") // the parameter is read by reflection
public abstract class TypeRef<V> {

    private final Type type;

    /**
     * Reads the type from the subclass.
     *
     * @throws IllegalArgumentException if the subclass does not name a type, or a part of the type is a type variable
     */
    protected TypeRef() {
        Type parent = getClass().getGenericSuperclass();
        if (!(parent instanceof ParameterizedType generic)
                || !generic.getRawType().equals(TypeRef.class)) {
            throw new IllegalArgumentException("A TypeRef must say its type, as in new TypeRef<List<String>>() {}");
        }
        this.type = generic.getActualTypeArguments()[0];
        requireKnown(type);
    }

    private TypeRef(Type type) {
        this.type = Objects.requireNonNull(type, "'type' must not be null");
        requireKnown(type);
    }

    /**
     * Returns a reference to a type that is only known at runtime, such as the type of a field.
     *
     * @param type a class, or a generic type with its arguments
     * @return the reference
     * @throws IllegalArgumentException if a part of the type is a type variable
     */
    public static TypeRef<?> of(Type type) {
        return new TypeRef<Object>(type) {};
    }

    @SuppressWarnings("unchecked") // the type of the values is the class
    static <V> TypeRef<V> ofClass(Class<V> type) {
        return (TypeRef<V>) of(type);
    }

    /** Refuses a type that is a type variable, or has one as an argument of itself or of the class around it. */
    private void requireKnown(@Nullable Type part) {
        if (part instanceof Class) {
            return; // as of most groups; to compare it with each interface takes longer
        }
        if (part instanceof TypeVariable) {
            throw new IllegalArgumentException("The type of a TypeRef, " + type + ", must not have the type variable "
                    + part + ", which is not known at runtime; pass a TypeRef on to the generic method");
        }
        if (part instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                requireKnown(argument);
            }
            requireKnown(generic.getOwnerType());
        }
        if (part instanceof GenericArrayType array) {
            requireKnown(array.getGenericComponentType());
        }
        if (part instanceof WildcardType wildcard) {
            Stream.of(wildcard.getUpperBounds(), wildcard.getLowerBounds())
                    .flatMap(Stream::of)
                    .forEach(this::requireKnown);
        }
    }

    /**
     * Returns the type.
     *
     * @return a class, or a generic type with its arguments
     */
    public final Type type() {
        return type;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof TypeRef<?> that && type.equals(that.type);
    }

    @Override
    public final int hashCode() {
        return type.hashCode();
    }

    /** Returns the name of the type. */
    @Override
    public final String toString() {
        return type.getTypeName();
    }
}
