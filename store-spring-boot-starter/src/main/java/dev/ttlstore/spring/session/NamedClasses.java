package dev.ttlstore.spring.session;

import java.util.LinkedHashSet;
import java.util.Set;

import org.springframework.util.ClassUtils;

import tools.jackson.databind.JsonNode;

/** Finds the classes that JSON names: Jackson stops at the first that it may not read, and a user wants to know all. */
final class NamedClasses {

    private static final String PROPERTY = "@class";

    private final ClassLoader loader;
    private final Set<Class<?>> found = new LinkedHashSet<>();

    private NamedClasses(ClassLoader loader) {
        this.loader = loader;
    }

    /** Returns the classes, as far as they exist. */
    static Set<Class<?>> in(JsonNode json, ClassLoader loader) {
        NamedClasses classes = new NamedClasses(loader);
        classes.visit(json);
        return classes.found;
    }

    /** An object has the name in a property. Anything else is an array of the name and the value. */
    private void visit(JsonNode json) {
        if (json.isObject()) {
            add(json.path(PROPERTY));
        } else if (json.isArray() && json.size() == 2) {
            add(json.path(0));
        }
        json.forEach(this::visit);
    }

    private void add(JsonNode name) {
        if (name.isString() && ClassUtils.isPresent(name.stringValue(), loader)) {
            found.add(ClassUtils.resolveClassName(name.stringValue(), loader));
        }
    }
}
