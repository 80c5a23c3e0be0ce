package dev.ttlstore.serialization;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ttlstore.exception.CodecException;

/** The classes for which a value cannot be stored, all named at once. Not thread-safe. */
final class Refusals {

    private final AllowedClasses allowed;
    private final String property;
    private final Set<String> refused = new LinkedHashSet<>();
    private final Set<String> unserializable = new LinkedHashSet<>();
    private final Set<String> incomplete = new LinkedHashSet<>();

    /** @param property the name of the property that lists further classes */
    Refusals(AllowedClasses allowed, String property) {
        this.allowed = allowed;
        this.property = property;
    }

    void check(Class<?> type) {
        if (!allowed.contains(type)) {
            refused.add(AllowedClasses.elementOf(type).getName());
        }
    }

    /** Checks what an object inherits. */
    void checkInherited(Object written) {
        String problem = InheritedState.problem(written);
        if (problem != null) {
            incomplete.add(problem);
        }
    }

    void addUnserializable(Class<?> type) {
        unserializable.add(type.getName());
    }

    /** @throws CodecException if there are any, which says what to do */
    void throwIfAny() {
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
