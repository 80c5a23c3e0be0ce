package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * How objects of a class are compared.
 *
 * @param fields the fields that hold their state; none if they are compared as a whole
 * @param hasEquals whether the class defines equals
 * @param hasText whether it is a class of Java that defines a text, other than that of an exception
 */
record ComparedClass(List<Field> fields, boolean hasEquals, boolean hasText) {

    static ComparedClass of(Class<?> type, List<Field> fields) {
        try {
            return new ComparedClass(
                    fields,
                    type.getMethod("equals", Object.class).getDeclaringClass() != Object.class,
                    JavaClasses.contain(type)
                            && !Throwable.class.isAssignableFrom(type)
                            && type.getMethod("toString").getDeclaringClass() != Object.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("Each object has equals and toString", e);
        }
    }

    /** Returns what a collection of the application has beside its elements. */
    static List<Field> ownFields(Class<?> type) {
        List<Field> own = new ArrayList<>();
        for (Class<?> each = type; each != null && !JavaClasses.contain(each); each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (IgnoredFields.isState(field) && field.trySetAccessible()) {
                    own.add(field);
                }
            }
        }
        return own;
    }

    boolean isEqual(Object written, Object read) {
        if (written.getClass().isArray()) {
            return Objects.deepEquals(written, read);
        }
        if (written instanceof Pattern pattern && read instanceof Pattern other && pattern.flags() != other.flags()) {
            return false;
        }
        // Two URLs are equal if their hosts resolve to the same address, which takes time. Others without equals say
        // what they are.
        boolean asText = written instanceof URL || (!hasEquals && hasText);
        if (asText) {
            return written.toString().equals(read.toString());
        }
        return !hasEquals || written.equals(read);
    }
}
