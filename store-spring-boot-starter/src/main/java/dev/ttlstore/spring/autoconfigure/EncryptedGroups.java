package dev.ttlstore.spring.autoconfigure;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import dev.ttlstore.GroupSettings;
import dev.ttlstore.Store;

import static dev.ttlstore.spring.autoconfigure.BuilderSettings.set;

/**
 * The groups to encrypt according to the properties: by full name, by a name in every scope, or all.
 *
 * @param names full names
 * @param inScopes names of groups in every scope
 * @param all whether to encrypt all groups
 */
record EncryptedGroups(Set<String> names, Set<String> inScopes, boolean all) implements Predicate<String> {

    static final String PROPERTY = "store.encryption.groups";

    private static final String ALL = "*";
    private static final String EVERY_SCOPE = "*:";

    /** The store's rule for namespaces, checked here before there is a store. */
    private static final Pattern NAMESPACE = Pattern.compile("[a-zA-Z0-9-]+");

    /**
     * Parses the configured names.
     *
     * @throws InvalidConfigurationPropertyValueException if one is neither a name nor a pattern
     */
    static EncryptedGroups of(List<String> configured) {
        Set<String> names = new HashSet<>();
        Set<String> inScopes = new HashSet<>();
        boolean all = false;
        for (int i = 0; i < configured.size(); i++) {
            String group = configured.get(i);
            if (group.equals(ALL)) {
                all = true;
            } else if (group.startsWith(EVERY_SCOPE)) {
                inScopes.add(require(i, group, group.substring(EVERY_SCOPE.length())));
            } else {
                names.add(require(i, group, group));
            }
        }
        return new EncryptedGroups(Set.copyOf(names), Set.copyOf(inScopes), all);
    }

    private static String require(int index, String configured, String name) {
        String property = PROPERTY + "[" + index + "]";
        set(property, configured, value -> requireName(name));
        return name;
    }

    private static void requireName(String name) {
        if (name.contains("*")) {
            throw new IllegalArgumentException(
                    "it must be the full name of a group, '*:' and the name of a group in every scope, or '*' for all"
                            + " groups");
        }
        Store.builder().group(name, GroupSettings.defaults()); // validates the name
    }

    @Override
    public boolean test(String fullName) {
        if (all || names.contains(fullName)) {
            return true;
        }
        int separator = fullName.indexOf(':');
        return separator > 0
                && inScopes.contains(fullName.substring(separator + 1))
                && NAMESPACE.matcher(fullName.substring(0, separator)).matches();
    }
}
