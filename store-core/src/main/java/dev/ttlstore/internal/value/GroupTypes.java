package dev.ttlstore.internal.value;

import java.lang.reflect.Type;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The types by which groups are used, to warn of a group that is used by two: each reads what the other has written, and may drop what it
 * does not know. Thread-safe.
 */
final class GroupTypes {

    private static final Logger log = LoggerFactory.getLogger(GroupTypes.class);

    /** Groups of tenants come without end, so not all are remembered. */
    private static final int MAX_GROUPS = 10_000;

    /** Marks a group for which a warning was logged. */
    private static final Type WARNED = void.class;

    private final ConcurrentMap<String, Type> types = new ConcurrentHashMap<>();

    void use(String group, Type type) {
        Type first = types.get(group);
        if (first == null && types.size() < MAX_GROUPS) {
            first = types.putIfAbsent(group, type);
        }
        if (first != null && first != WARNED && !first.equals(type) && types.replace(group, first, WARNED)) {
            log.warn(
                    "The group '{}' is used with two types, {} and {}: each may lose what the other has written. Use one type"
                            + " for a group",
                    group,
                    first.getTypeName(),
                    type.getTypeName());
        }
    }
}
