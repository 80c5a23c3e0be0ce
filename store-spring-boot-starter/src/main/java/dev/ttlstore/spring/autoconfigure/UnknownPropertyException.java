package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown if a property is set that does not exist, or no longer exists, and would have no effect. */
public final class UnknownPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean ofDeclaration;

    UnknownPropertyException(List<Unknown> unknown) {
        super(unknown.stream().map(Unknown::toSentence).collect(Collectors.joining(" ")));
        this.ofDeclaration = unknown.stream()
                .anyMatch(one -> one.property().startsWith("store.groups")
                        || one.property().startsWith("store.scopes"));
    }

    /**
     * Returns whether one of the properties is to declare a group or a scope.
     *
     * @return whether one is
     */
    public boolean isOfDeclaration() {
        return ofDeclaration;
    }

    /**
     * An unknown property.
     *
     * @param property the name
     * @param origin the place where it is set, in parentheses; empty if unknown
     * @param problem the problem and the replacement, as the rest of a sentence
     */
    record Unknown(String property, String origin, String problem) {

        private String toSentence() {
            return "The property '" + property + "'" + origin + " " + problem + ".";
        }
    }
}
