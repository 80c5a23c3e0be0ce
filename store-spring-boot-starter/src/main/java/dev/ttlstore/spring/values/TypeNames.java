package dev.ttlstore.spring.values;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Finds types by the names that properties have: {@code java.util.List<org.example.Book>}.
 *
 * @since 0.1
 * @see ValueTypes
 */
public final class TypeNames {

    private final String text;
    private final @Nullable ClassLoader loader;
    private int position;

    private TypeNames(String text, @Nullable ClassLoader loader) {
        this.text = text.replaceAll("\\s+", "");
        this.loader = loader;
    }

    /**
     * Finds a type.
     *
     * @param name the full name of a class, with its type arguments in angle brackets; spaces do not matter
     * @param loader finds the classes; null for the thread's
     * @return the class, or the generic type or array
     * @throws IllegalArgumentException if the name is malformed, a class does not exist, or type arguments are missing; the message
     *     says which
     */
    public static Type find(String name, @Nullable ClassLoader loader) {
        TypeNames names = new TypeNames(name, loader);
        ResolvableType found = names.next();
        if (names.position < names.text.length()) {
            throw names.malformed();
        }
        Type type = ValueTypes.of(found);
        if (type == null) {
            throw names.malformed();
        }
        return type;
    }

    private ResolvableType next() {
        int start = position;
        while (position < text.length() && "<>,".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        Class<?> type = load(text.substring(start, position));
        List<ResolvableType> arguments = isNext('<') ? arguments() : List.of();
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        int expected = element.getTypeParameters().length;
        if (arguments.size() != expected || (expected > 0 && type.isArray())) {
            throw new IllegalArgumentException(complaint(element, expected));
        }
        return arguments.isEmpty()
                ? ResolvableType.forClass(type)
                : ResolvableType.forClassWithGenerics(type, arguments.toArray(ResolvableType[]::new));
    }

    private static String complaint(Class<?> type, int expected) {
        if (expected == 0) {
            return type.getName() + " has no type arguments";
        }
        String form = IntStream.range(0, expected)
                .mapToObj(i -> i == expected - 1 ? "com.example.Book" : "java.lang.String")
                .collect(Collectors.joining(",", type.getName() + "<", ">"));
        return "the type of what is in a " + type.getName() + " must be given, as in '" + form + "'";
    }

    private Class<?> load(String name) {
        try {
            return ClassUtils.forName(name, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException("there is no class '" + name + "'", e);
        }
    }

    private List<ResolvableType> arguments() {
        List<ResolvableType> arguments = new ArrayList<>();
        do {
            arguments.add(next());
        } while (isNext(','));
        if (!isNext('>')) {
            throw malformed();
        }
        return arguments;
    }

    private boolean isNext(char expected) {
        boolean found = position < text.length() && text.charAt(position) == expected;
        if (found) {
            position++;
        }
        return found;
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "it is no type; write one like 'com.example.Book' or 'java.util.List<com.example.Book>'");
    }
}
