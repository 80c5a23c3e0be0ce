package dev.ttlstore.spring.json;

import java.io.Serial;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;

import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.VisibilityChecker;

/** Jackson's default visibility, in which all fields are visible, except private ones of Java's classes, which nobody may access. */
final class OwnFields extends VisibilityChecker {

    @Serial
    private static final long serialVersionUID = 1L;

    OwnFields() {
        super(Visibility.DEFAULT);
    }

    @Override
    public boolean isFieldVisible(AnnotatedField field) {
        return super.isFieldVisible(field) || !JavaClasses.contain(field.getDeclaringClass());
    }
}
