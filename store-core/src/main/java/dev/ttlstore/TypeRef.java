package dev.ttlstore;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;

import org.jspecify.annotations.Nullable;

/**
 * A generic type that is known at runtime. Write a subclass where it is used, with the type between the angle brackets:
 *
 * <pre>{@code
 * Group<List<Invite>> batches = store.group("batches", new TypeRef<List<Invite>>() {});
 * }</pre>
 *
 * <p>Two references to the same type are equal.
 *
 * @param <V> the type
 */
@SuppressWarnings("unused") // the parameter is read by reflection
public abstract class TypeRef<V> {

    private final Type type;

    /**
     * Reads the type from the subclass.
     *
     * @throws IllegalArgumentException if the subclass does not say a type, or says a type variable
     */
    protected TypeRef() {
        Type parent = getClass().getGenericSuperclass();
        if (!(parent instanceof ParameterizedType generic)
                || !generic.getRawType().equals(TypeRef.class)) {
            throw new IllegalArgumentException("A TypeRef must say its type, as in new TypeRef<List<String>>() {}");
        }
        this.type = generic.getActualTypeArguments()[0];
        if (type instanceof TypeVariable) {
            throw new IllegalArgumentException("The type of a TypeRef must not be the type variable " + type
                    + ", which is not known at runtime; pass a TypeRef on to the generic method");
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
