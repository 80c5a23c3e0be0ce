package dev.ttlstore.spring.json;

import java.io.Serial;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;

import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.VisibilityChecker;

/**
 * Jackson's default visibility, but with all fields visible. There are two exceptions. Private fields of Java's classes stay hidden,
 * because nobody may access them. So does a map whose entries its class writes as properties of its own: it would be written twice, and
 * be one of them when it is read.
 */
final class OwnFields extends VisibilityChecker {

    @Serial
    private static final long serialVersionUID = 1L;

    OwnFields() {
        super(Visibility.DEFAULT);
    }

    @Override
    public boolean isFieldVisible(AnnotatedField field) {
        return super.isFieldVisible(field)
                || (!JavaClasses.contain(field.getDeclaringClass()) && !isMapOfProperties(field));
    }

    private static boolean isMapOfProperties(AnnotatedField field) {
        return Modifier.isFinal(field.getModifiers())
                && Map.class.isAssignableFrom(field.getRawType())
                && Arrays.stream(field.getDeclaringClass().getDeclaredMethods())
                        .anyMatch(method -> method.isAnnotationPresent(JsonAnyGetter.class));
    }
}
