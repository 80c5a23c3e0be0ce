package dev.ttlstore.spring.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

/** A declared group or scope has settings that do not exist. */
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
     * @param nearest the property that is spelt most alike
     */
    record Unknown(String property, String origin, String nearest) {

        private String toSentence() {
            return "The property '" + property + "'" + origin + " is unknown; the nearest one is '" + nearest + "'.";
        }
    }
}
