package dev.ttlstore.spring.autoconfigure;

import java.lang.reflect.Member;

/**
 * Thrown if an application injects a declared group without the type of its values.
 *
 * @since 0.1
 * @see StoreKeyspaceAutoConfiguration
 * @see dev.ttlstore.Group
 */
public final class GroupInjectionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String group;
    private final String place;

    GroupInjectionException(String group, Member place) {
        super("The type of the values is missing where the group '" + group + "' is injected into "
                + place.getDeclaringClass().getName() + " (" + place.getName() + ")");
        this.group = group;
        this.place = place.getDeclaringClass().getName() + " (" + place.getName() + ")";
    }

    /**
     * Returns the full name of the group.
     *
     * @return the full name
     */
    public String group() {
        return group;
    }

    /**
     * Returns the injection point.
     *
     * @return the class, and the name of its constructor, method or field
     */
    public String place() {
        return place;
    }
}
