package dev.ttlstore.spring.json;

import java.lang.reflect.Field;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeFactory;

/** The types of fields as a subclass sees them, which may say what their type variables are. */
final class TypesOfFields {

    private TypesOfFields() {}

    static JavaType of(Field field, JavaType seenFrom, TypeFactory types) {
        JavaType declaring = seenFrom.findSuperType(field.getDeclaringClass());
        return types.resolveMemberType(
                field.getGenericType(), (declaring == null ? seenFrom : declaring).getBindings());
    }
}
