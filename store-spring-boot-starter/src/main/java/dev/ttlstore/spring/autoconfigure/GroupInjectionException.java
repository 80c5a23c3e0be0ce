package dev.ttlstore.spring.autoconfigure;

import java.lang.reflect.Member;

/** A declared group is to be injected where it is not said what its values are. */
public final class GroupInjectionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String group;
    private final String place;

    GroupInjectionException(String group, Member place) {
        super("It is not said what the values of the group '" + group + "' are where it is injected into "
                + place.getDeclaringClass().getName() + " (" + place.getName() + ")");
        this.group = group;
        this.place = place.getDeclaringClass().getName() + " (" + place.getName() + ")";
    }

    /**
     * Which group.
     *
     * @return its full name
     */
    public String group() {
        return group;
    }

    /**
     * Where it is injected.
     *
     * @return the class, and the name of its constructor, method or field
     */
    public String place() {
        return place;
    }
}
