package dev.ttlstore.spring.json;

import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;

/** What may be said of Jackson's exceptions. Most of their messages quote values, so only those are passed on that speak of types. */
final class JsonProblems {

    private JsonProblems() {}

    /** Describes a failure to write a value. */
    static String ofWriting(JacksonException e) {
        return e instanceof InvalidDefinitionException || e instanceof StreamConstraintsException
                ? place(e) + e.getOriginalMessage()
                : ofReading(e);
    }

    /** Describes a failure to read a value, whose message may quote it, whatever the class of the exception. */
    static String ofReading(JacksonException e) {
        return place(e)
                + e.getClass().getSimpleName()
                + (e.getCause() == null || e.getCause() instanceof JacksonException
                        ? ""
                        : " by " + e.getCause().getClass().getName());
    }

    private static String type(JacksonException e) {
        Class<?> type = e instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        if (e instanceof InvalidDefinitionException definition && definition.getType() != null) {
            type = definition.getType().getRawClass();
        }
        return type == null ? "" : " of " + type.getTypeName();
    }

    private static String place(JacksonException e) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : e.getPath()) {
            if (step.getPropertyName() == null || step.from() instanceof Map) { // a key of a map is part of the value
                path.append("[]");
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.isEmpty() ? "" : "at '" + path + "': ";
    }
}
