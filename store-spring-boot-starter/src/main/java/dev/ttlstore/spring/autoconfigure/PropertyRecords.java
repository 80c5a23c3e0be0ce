package dev.ttlstore.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/**
 * The records that the store's properties are bound to, and their native image hints. Spring Boot registers only those that it binds,
 * but {@link KnownProperties} also reads the constructors of adapters that are not enabled.
 */
final class PropertyRecords implements RuntimeHintsRegistrar {

    /** Returns the records by what the names of their settings start with, below {@link KnownProperties#ROOT}. */
    static Map<String, Class<?>> byPrefix() {
        Map<String, Class<?>> records = new LinkedHashMap<>();
        records.put("", StoreProperties.class);
        records.put("expiry.", record("dev.ttlstore.spring.expiry.StoreExpiryProperties"));
        records.put("purge.", record("dev.ttlstore.spring.purge.StorePurgeProperties"));
        records.put("events.", record("dev.ttlstore.spring.event.StoreEventProperties"));
        records.put("encryption.", record("dev.ttlstore.spring.encryption.StoreEncryptionProperties"));
        for (Adapter adapter : Adapter.ALL) {
            records.put(adapter.section() + ".", record(adapter.properties()));
        }
        return records;
    }

    /** Finds a record by its name, because the packages of features know this one. */
    private static Class<?> record(String name) {
        return ClassUtils.resolveClassName(name, PropertyRecords.class.getClassLoader());
    }

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        BindableRuntimeHintsRegistrar.forTypes(byPrefix().values()).registerHints(hints);
    }
}
