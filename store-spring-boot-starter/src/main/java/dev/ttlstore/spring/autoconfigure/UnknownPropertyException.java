package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown if the application sets a property that does not exist, and that would have no effect.
 *
 * @since 0.1
 * @see StoreProperties
 */
public final class UnknownPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String settings;

    UnknownPropertyException(List<Unknown> unknown, String settings) {
        super(unknown.stream().map(Unknown::toSentence).collect(Collectors.joining(" ")));
        this.settings = settings;
    }

    /**
     * Returns which settings groups and scopes have.
     *
     * @return a sentence for each; empty if none of the properties declares a group or a scope
     */
    public String settings() {
        return settings;
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
