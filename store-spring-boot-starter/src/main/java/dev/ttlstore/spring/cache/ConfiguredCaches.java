package dev.ttlstore.spring.cache;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.ResolvableType;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.TypeRef;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.autoconfigure.ApplicationClasses;
import dev.ttlstore.spring.values.SpringValues;
import dev.ttlstore.spring.values.TypeNames;

/** The settings of caches that the properties declare, checked when the manager is created. */
final class ConfiguredCaches {

    private static final String SECTION = "store.cache-manager";

    private final StoreCacheManagerProperties properties;
    private final ObjectProvider<CodecFactory> codecs;
    private final Codec<Object> serialization;
    private final @Nullable ClassLoader loader;
    private final StoreCacheSettings defaults;
    private final Map<String, StoreCacheSettings> declared = new LinkedHashMap<>();

    ConfiguredCaches(
            StoreCacheManagerProperties properties,
            ObjectProvider<CodecFactory> codecs,
            BeanFactory beans,
            @Nullable ClassLoader loader) {
        this.properties = properties;
        this.codecs = codecs;
        this.loader = loader;
        String property = SECTION + ".allowed-classes";
        this.serialization = new JavaCodec(
                ApplicationClasses.allowed(property, properties.allowedClasses(), SpringValues.ANYWHERE, beans),
                property,
                loader);
        this.defaults = new StoreCacheSettings(
                requireTtl(SECTION + ".ttl", properties.ttl()), properties.nullValues(), serialization);
        properties.caches().forEach((name, cache) -> declared.put(name, settings(name, cache)));
    }

    private StoreCacheSettings settings(String name, StoreCacheManagerProperties.Cache cache) {
        String section = SECTION + ".caches." + name;
        Duration ttl = cache.ttl() == null ? defaults.ttl() : requireTtl(section + ".ttl", cache.ttl());
        return new StoreCacheSettings(
                ttl,
                cache.timeToIdle() == null ? Duration.ZERO : requireTimeToIdle(section, cache.timeToIdle(), ttl),
                properties.nullValues(),
                cache.type() == null ? serialization : ofType(section + ".type", cache.type()));
    }

    private static Duration requireTtl(String property, Duration ttl) {
        if (ttl.isNegative()) {
            throw new InvalidConfigurationPropertyValueException(
                    property, ttl, "it must not be negative; zero keeps entries for ever");
        }
        return ttl;
    }

    private static Duration requireTimeToIdle(String section, Duration time, Duration ttl) {
        String property = section + ".time-to-idle";
        if (time.isNegative() || time.isZero()) {
            throw new InvalidConfigurationPropertyValueException(
                    property, time, "it must be more than zero; leave it out if entries need not be read to stay");
        }
        if (!ttl.isZero() && time.compareTo(ttl) >= 0) {
            throw new InvalidConfigurationPropertyValueException(
                    property,
                    time,
                    "it must be shorter than the ttl of the cache, after which entries end even if they are read, and that is "
                            + ttl + "; raise '" + section + ".ttl', or set it to 0 for none");
        }
        return time;
    }

    private Codec<Object> ofType(String property, String name) {
        Type type;
        try {
            type = TypeNames.find(name, loader);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(property, name, String.valueOf(e.getMessage()), e);
        }
        CodecFactory factory = codecs.getIfAvailable();
        Codec<Object> codec = factory == null ? null : codec(factory, type);
        if (codec == null) {
            throw new InvalidConfigurationPropertyValueException(
                    property,
                    name,
                    "there is no codec for it; JSON needs Jackson, as in 'spring-boot-starter-jackson'");
        }
        return new TypedCodec(ResolvableType.forType(type).toClass(), property, codec);
    }

    @SuppressWarnings("unchecked") // the codec is given values of the class only
    private static @Nullable Codec<Object> codec(CodecFactory factory, Type type) {
        return type instanceof Class<?> plain
                ? (Codec<Object>) factory.codec(plain)
                : factory.codec((TypeRef<Object>) TypeRef.of(type));
    }

    /** Encodes values of one type. */
    private record TypedCodec(Class<?> type, String property, Codec<Object> codec) implements Codec<Object> {

        @Override
        public byte[] encode(Object value) {
            if (!type.isInstance(value)) {
                throw new CodecException("The value is of " + value.getClass().getName() + ", and not of "
                        + type.getName() + ", as '" + property + "' says");
            }
            return codec.encode(value);
        }

        @Override
        public Object decode(byte[] bytes) {
            return codec.decode(bytes);
        }
    }

    /** Returns the settings of a cache. */
    StoreCacheSettings settings(String name) {
        return declared.getOrDefault(name, defaults);
    }
}
