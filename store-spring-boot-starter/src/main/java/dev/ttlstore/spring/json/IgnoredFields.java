package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty.Access;

import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.BeanPropertyDefinition;

/** The fields that a class leaves out of its JSON on purpose, by annotations of Jackson. */
final class IgnoredFields {

    private final MapperConfig<?> config;
    private final AnnotationIntrospector annotations;
    private final Map<String, AnnotatedField> fields = new HashMap<>();
    private final Set<String> names = new HashSet<>();

    IgnoredFields(BeanDescription written, BeanDescription read, MapperConfig<?> config) {
        this.config = config;
        this.annotations = config.getAnnotationIntrospector();
        names.addAll(ignored(written));
        names.addAll(ignored(read));
        collect(written);
        collect(read);
        for (AnnotatedField field : written.getClassInfo().fields()) {
            fields.put(key(field.getAnnotated()), field);
        }
        for (AnnotatedMethod method : written.getClassInfo().memberMethods()) {
            if (isLeftOut(method)) {
                names.add(property(method.getName()));
            }
        }
        JsonIgnoreProperties.Value ignorals =
                config.getDefaultPropertyIgnorals(written.getBeanClass(), written.getClassInfo());
        JsonIncludeProperties.Value inclusions =
                config.getDefaultPropertyInclusions(written.getBeanClass(), written.getClassInfo());
        Set<String> ignored = ignorals == null ? Set.of() : ignorals.getIgnored();
        Set<String> included = inclusions == null ? null : inclusions.getIncluded();
        for (BeanPropertyDefinition property : written.findProperties()) {
            if (ignored.contains(property.getName()) || (included != null && !included.contains(property.getName()))) {
                names.add(property.getInternalName());
            }
        }
    }

    private static Set<String> ignored(BeanDescription description) {
        Set<String> ignored = description.getIgnoredPropertyNames();
        return ignored == null ? Set.of() : ignored;
    }

    /** Collects properties that are written only or read only, also by an annotation of a constructor's parameter. */
    private void collect(BeanDescription description) {
        for (BeanPropertyDefinition property : description.findProperties()) {
            if (isLeftOut(property.getPrimaryMember())) {
                names.add(property.getInternalName());
            }
        }
    }

    private boolean isLeftOut(@Nullable AnnotatedMember member) {
        if (member == null) {
            return false;
        }
        Access access = annotations.findPropertyAccess(config, member);
        AnnotationIntrospector.ReferenceProperty reference = annotations.findReferenceType(config, member);
        return access == Access.READ_ONLY
                || access == Access.WRITE_ONLY
                || annotations.hasIgnoreMarker(config, member)
                || annotations.findInjectableValue(config, member) != null
                || (reference != null && reference.isBackReference());
    }

    /** Tests whether a field is part of the state of its class, as Java and Jackson see it. */
    static boolean isState(Field field) {
        return !field.isSynthetic()
                && !Modifier.isStatic(field.getModifiers())
                && !Modifier.isTransient(field.getModifiers());
    }

    boolean has(Field field) {
        AnnotatedField annotated = fields.get(key(field));
        return names.contains(field.getName()) || isLeftOut(annotated) || (annotated != null && isIgnorable(annotated));
    }

    private boolean isIgnorable(AnnotatedField field) {
        return Boolean.TRUE.equals(annotations.isIgnorableType(
                config, config.classIntrospectorInstance().introspectClassAnnotations(field.getType())));
    }

    private static String key(Field field) {
        return field.getDeclaringClass().getName() + "." + field.getName();
    }

    private static String property(String method) {
        for (String prefix : new String[] {"get", "set", "is"}) {
            if (method.length() > prefix.length() && method.startsWith(prefix)) {
                return Character.toLowerCase(method.charAt(prefix.length())) + method.substring(prefix.length() + 1);
            }
        }
        return method;
    }
}
