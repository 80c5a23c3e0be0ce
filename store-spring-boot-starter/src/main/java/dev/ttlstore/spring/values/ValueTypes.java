package dev.ttlstore.spring.values;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * Finds the types of values that fields, parameters and methods declare, also in a generic superclass.
 *
 * @since 0.1
 * @see TypeNames
 */
public final class ValueTypes {

    /** Spring finds variables by name, so in a class {@code Base<E>} a raw list could be a list of itself. */
    private static final int MAX_DEPTH = 50;

    private ValueTypes() {}

    /**
     * Returns a type without type variables and wildcards. A variable becomes what the subclass says, and a wildcard
     * its bound.
     *
     * @param declared the type as it is declared, which knows the class that it is seen from
     * @return a class, or a generic type or array with all its arguments; null if a part of it is unknown
     */
    public static @Nullable Type of(ResolvableType declared) {
        return of(declared, 1);
    }

    private static @Nullable Type of(ResolvableType declared, int depth) {
        if (depth > MAX_DEPTH || isRaw(declared.getType())) {
            return null;
        }
        if (declared.isArray()) {
            return arrayOf(of(declared.getComponentType(), depth + 1));
        }
        Class<?> type = declared.resolve();
        if (type == null || !declared.hasGenerics()) {
            return type;
        }
        if (declared.hasUnresolvableGenerics()) {
            return null;
        }
        ResolvableType[] generics = declared.getGenerics();
        Type[] arguments = new Type[generics.length];
        for (int i = 0; i < generics.length; i++) {
            Type argument = of(generics[i], depth + 1);
            if (argument == null) {
                return null;
            }
            arguments[i] = argument;
        }
        return new Generic(type, List.of(arguments));
    }

    private static boolean isRaw(Type type) {
        return type instanceof Class<?> plain && plain.getTypeParameters().length > 0;
    }

    private static @Nullable Type arrayOf(@Nullable Type component) {
        if (component instanceof Class<?> type) {
            return type.arrayType();
        }
        return component == null ? null : new GenericArray(component);
    }

    /**
     * A generic type. It equals the same type of the JDK, and has its hash code, because codecs may be found by it.
     *
     * @param type the class
     * @param arguments its arguments
     */
    private record Generic(Class<?> type, List<Type> arguments) implements ParameterizedType {

        @Override
        public Type[] getActualTypeArguments() {
            return arguments.toArray(Type[]::new);
        }

        @Override
        public Type getRawType() {
            return type;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return type.getDeclaringClass();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ParameterizedType that
                    && type.equals(that.getRawType())
                    && Objects.equals(getOwnerType(), that.getOwnerType())
                    && Arrays.equals(getActualTypeArguments(), that.getActualTypeArguments());
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(getActualTypeArguments()) ^ Objects.hashCode(getOwnerType()) ^ type.hashCode();
        }

        @Override
        public String toString() {
            return arguments.stream()
                    .map(Type::getTypeName)
                    .collect(Collectors.joining(", ", type.getName() + "<", ">"));
        }
    }

    /**
     * An array of a generic type, which equals the same type of the JDK.
     *
     * @param component the type of its elements
     */
    private record GenericArray(Type component) implements GenericArrayType {

        @Override
        public Type getGenericComponentType() {
            return component;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof GenericArrayType that && component.equals(that.getGenericComponentType());
        }

        @Override
        public int hashCode() {
            return component.hashCode();
        }

        @Override
        public String toString() {
            return component.getTypeName() + "[]";
        }
    }
}
