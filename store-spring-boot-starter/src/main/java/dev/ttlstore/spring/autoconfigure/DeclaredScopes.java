package dev.ttlstore.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;

import static dev.ttlstore.spring.autoconfigure.PropertyValue.set;

/**
 * The scopes that the properties declare.
 *
 * @param quotas the quotas by namespace
 * @since 0.1
 * @see StoreKeyspaceAutoConfiguration
 */
public record DeclaredScopes(Map<String, Quota> quotas) {

    /** The store's rule for namespaces, checked here before there is a store. */
    private static final Pattern NAMESPACE = Pattern.compile("[a-zA-Z0-9-]+");

    /**
     * Checks the declared scopes.
     *
     * @param scopes the scopes by namespace
     * @return the scopes with their quotas
     * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException if a
     *     property is invalid
     */
    public static DeclaredScopes of(Map<String, StoreProperties.Scope> scopes) {
        Map<String, Quota> quotas = new LinkedHashMap<>();
        scopes.forEach((namespace, scope) -> quotas.put(namespace, quota(namespace, scope.quota())));
        return new DeclaredScopes(quotas);
    }

    private static Quota quota(String namespace, StoreProperties.Quota quota) {
        String property = "store.scopes." + namespace;
        set(property, namespace, DeclaredScopes::requireNamespace);
        // Each limit by itself, so that the exception names the property that is refused.
        set(property + ".quota.max-keys", quota.maxKeys(), keys -> new Quota(keys, 0, 0));
        set(property + ".quota.max-groups", quota.maxGroups(), groups -> new Quota(0, groups, 0));
        set(property + ".quota.max-bytes", quota.maxBytes(), bytes -> new Quota(0, 0, bytes.toBytes()));
        return new Quota(quota.maxKeys(), quota.maxGroups(), quota.maxBytes().toBytes());
    }

    private static void requireNamespace(String namespace) {
        if (!NAMESPACE.matcher(namespace).matches()) {
            throw new IllegalArgumentException("a namespace must consist of letters, digits and hyphens");
        }
    }

    /**
     * Sets the quotas in a store.
     *
     * @param store the store
     */
    public void applyTo(Store store) {
        quotas.forEach(store::scope);
    }
}
