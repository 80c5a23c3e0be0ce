package dev.ttlstore.jcache;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import javax.cache.configuration.Factory;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.Codec;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;

/** The codecs of a cache, as its configuration and the properties of its manager say. */
final class CacheCodecs {

    private final JavaCodec serialization;

    CacheCodecs(StoreConfiguration<?, ?> configuration, Properties properties, ClassLoader loader) {
        List<String> patterns = new ArrayList<>(JCacheProperties.allowedClasses(properties));
        patterns.addAll(configuration.getAllowed());
        addType(patterns, configuration.getKeyType());
        addType(patterns, configuration.getValueType());
        this.serialization = new JavaCodec(AllowedClasses.of(patterns), JCacheProperties.ALLOWED_CLASSES, loader)
                .losingInheritedFields();
    }

    /** Adds a declared class, and those it extends, whose names are in the bytes as well. */
    private static void addType(List<String> patterns, Class<?> declared) {
        Class<?> type = declared;
        while (type.isArray()) {
            type = type.getComponentType();
        }
        for (Class<?> each = type; each != null && !each.isInterface(); each = each.getSuperclass()) {
            if (!each.isPrimitive() && !each.isHidden()) {
                patterns.add(each.getName());
            }
        }
    }

    /** Returns the codec of the values. */
    <V> Codec<V> ofValues(Class<V> type, @Nullable Factory<Codec<V>> factory) {
        if (factory != null) {
            return factory.create();
        } else if (type == String.class) {
            return retyped(Codec.text());
        } else if (type == Long.class) {
            return retyped(Codec.longs());
        } else if (type == byte[].class) {
            return retyped(Codec.bytes());
        }
        return retyped(serialization);
    }

    /** Returns the texts of the keys. */
    <K> KeyTexts<K> ofKeys(@Nullable Factory<Codec<K>> factory) {
        return factory == null ? new KeyTexts<>(true, retyped(serialization)) : new KeyTexts<>(false, factory.create());
    }

    /** The cache checks the types of its arguments, and the bytes are those that it has written. */
    @SuppressWarnings("unchecked")
    private static <T> Codec<T> retyped(Codec<?> codec) {
        return (Codec<T>) codec;
    }
}
