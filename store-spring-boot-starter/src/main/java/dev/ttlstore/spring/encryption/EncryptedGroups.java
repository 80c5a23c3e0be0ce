package dev.ttlstore.spring.encryption;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import dev.ttlstore.GroupPattern;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * The groups to encrypt according to the properties.
 *
 * @param patterns select them
 */
record EncryptedGroups(List<GroupPattern> patterns) implements Predicate<String> {

    static final String PROPERTY = "store.encryption.groups";

    /**
     * Parses the configured patterns.
     *
     * @throws InvalidConfigurationPropertyValueException if one is neither a name nor a pattern
     */
    static EncryptedGroups of(List<String> configured) {
        List<GroupPattern> patterns = new ArrayList<>();
        for (int i = 0; i < configured.size(); i++) {
            set(PROPERTY + "[" + i + "]", configured.get(i), text -> patterns.add(new GroupPattern(text)));
        }
        return new EncryptedGroups(List.copyOf(patterns));
    }

    @Override
    public boolean test(String fullName) {
        for (GroupPattern pattern : patterns) {
            if (pattern.test(fullName)) {
                return true;
            }
        }
        return false;
    }
}
