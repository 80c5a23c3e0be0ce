package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

/** A property is set that does not exist, or not any more, and would have no effect. */
public final class UnknownPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownPropertyException(List<Unknown> unknown) {
        super(unknown.stream().map(Unknown::toSentence).collect(Collectors.joining(" ")));
    }

    /**
     * One of them.
     *
     * @param property its name
     * @param origin where it is set, in parentheses; empty if that is not known
     * @param problem what is wrong with it, and what to use in its place, as the rest of a sentence
     */
    record Unknown(String property, String origin, String problem) {

        private String toSentence() {
            return "The property '" + property + "'" + origin + " " + problem + ".";
        }
    }
}
