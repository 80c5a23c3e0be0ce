package dev.ttlstore.spring.json;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;

import dev.ttlstore.exception.CodecException;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Describes Jackson's exceptions without values. Most of their messages quote values, so it passes on only those about
 * types.
 *
 * @since 0.1
 * @see JacksonCodecFactory
 */
public final class JsonProblems {

    private JsonProblems() {}

    /**
     * Describes a failure to write a value.
     *
     * @param e the failure
     * @return where it is and what it is, without values
     */
    public static String ofWriting(JacksonException e) {
        return e instanceof InvalidDefinitionException || e instanceof StreamConstraintsException
                ? place(e) + e.getOriginalMessage()
                : ofReading(e);
    }

    /**
     * Describes a failure to read a value, whose message may quote it, whatever the class of the exception.
     *
     * @param e the failure
     * @return where it is and of what class, without values
     */
    public static String ofReading(JacksonException e) {
        Throwable cause = e.getCause();
        if (cause
                instanceof CodecException explained) { // of code of the application, which may not quote values either
            return place(e) + explained.getMessage();
        }
        String type = e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? " of " + mismatch.getTargetType().getTypeName()
                : "";
        String by = cause == null || cause instanceof JacksonException
                ? ""
                : " by " + cause.getClass().getName();
        return place(e) + e.getClass().getSimpleName() + type + by;
    }

    /** Says what can be done about what cannot be written; empty if that is part of the problem. */
    static String remedyOfWriting(JacksonException e) {
        Throwable cause = e.getCause();
        return cause == null || cause instanceof JacksonException || cause instanceof CodecException
                ? ""
                : ". If this getter is no part of the value, annotate it with @JsonIgnore";
    }

    /** Says what can be done about what was written and cannot be read. */
    static String remedy(JacksonException e) {
        return e.getCause() instanceof UnsupportedOperationException
                ? "A getter of a list that cannot be changed is no setter. Make the class a record, or give it a constructor with all"
                        + " of its state, or a setter for this part"
                : ReadBack.REMEDY;
    }

    private static String place(JacksonException e) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : e.getPath()) {
            if (step.getPropertyName() == null || isPartOfTheValue(step.from())) {
                path.append("[]");
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.isEmpty() ? "" : "at '" + Difference.shortened(path) + "': ";
    }

    /** Tests whether names in an object of a class, or of a class itself, may be those of a map. */
    private static boolean isPartOfTheValue(Object from) {
        Class<?> type = from instanceof Class<?> of ? of : from.getClass();
        if (Map.class.isAssignableFrom(type)) {
            return true;
        }
        for (Class<?> each = type; each != null && !JavaClasses.contain(each); each = each.getSuperclass()) {
            if (Stream.concat(Arrays.stream(each.getDeclaredFields()), Arrays.stream(each.getDeclaredMethods()))
                    .anyMatch(member -> member.isAnnotationPresent(JsonAnySetter.class)
                            || member.isAnnotationPresent(JsonAnyGetter.class))) {
                return true;
            }
        }
        return false;
    }
}
