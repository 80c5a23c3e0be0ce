package dev.ttlstore.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import dev.ttlstore.serialization.AllowedClasses;

/**
 * Finds the classes that an adapter may serialize.
 *
 * @since 0.1
 * @see AllowedClasses
 */
public final class ApplicationClasses {

    private ApplicationClasses() {}

    /**
     * Returns the allowed classes: those of the application's packages, those that the property adds, and others.
     *
     * @param property the name of the property
     * @param patterns what it adds
     * @param always what is allowed in any case
     * @param beans the beans of the application
     * @return the allowed classes
     * @throws InvalidConfigurationPropertyValueException if a pattern is malformed
     */
    public static AllowedClasses allowed(
            String property, List<String> patterns, List<String> always, BeanFactory beans) {
        List<String> given = new ArrayList<>(patterns);
        if (AutoConfigurationPackages.has(beans)) {
            AutoConfigurationPackages.get(beans).stream()
                    .filter(name -> !name.isEmpty())
                    .forEach(name -> given.add(name + ".**"));
        }
        given.addAll(always);
        try {
            return AllowedClasses.of(given);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(property, patterns, e.getMessage(), e);
        }
    }
}
