package dev.ttlstore.spring.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.session.FlushMode;
import org.springframework.session.MapSession;
import org.springframework.session.SaveMode;
import org.springframework.util.ClassUtils;

import dev.ttlstore.Codec;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.autoconfigure.ApplicationClasses;
import dev.ttlstore.spring.values.SpringValues;

/** The settings of sessions that the properties declare. */
final class ConfiguredSessions {

    private static final String SECTION = "store.session";

    /** Present if a login can be one at another site, whose address is a {@code java.net.URL} of the login. */
    private static final String OPEN_ID = "org.springframework.security.oauth2.core.oidc.OidcIdToken";

    private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

    private ConfiguredSessions() {}

    /** Returns the settings. A timeout of zero is none, as it is for Boot's web servers. */
    static StoreSessionSettings settings(
            StoreSessionProperties properties,
            @Nullable Duration timeout,
            BeanFactory beans,
            @Nullable ClassLoader loader) {
        Duration given = timeout == null ? MapSession.DEFAULT_MAX_INACTIVE_INTERVAL : timeout;
        return StoreSessionSettings.of(
                        given.isZero() ? Duration.ofSeconds(-1) : given, attributes(properties, beans, loader))
                .withModes(
                        SaveMode.valueOf(properties.saveMode().name()),
                        FlushMode.valueOf(properties.flushMode().name()));
    }

    private static Codec<Object> attributes(
            StoreSessionProperties properties, BeanFactory beans, @Nullable ClassLoader loader) {
        String property = SECTION + ".allowed-classes";
        List<String> always = new ArrayList<>(SpringValues.ANYWHERE);
        if (properties.format() == StoreSessionProperties.Format.JAVA) {
            always.addAll(SpringValues.OF_MVC);
            always.addAll(SpringValues.OF_SECURITY);
            if (ClassUtils.isPresent(OPEN_ID, loader)) {
                always.add("java.net.URL");
            }
            return new JavaCodec(allowed(property, properties, always, beans), property, loader);
        }
        if (!ClassUtils.isPresent(JACKSON, loader)) {
            throw new InvalidConfigurationPropertyValueException(
                    SECTION + ".format", "json", "it needs Jackson, as in 'spring-boot-starter-jackson'");
        }
        // Spring Security's modules for Jackson allow what they can read.
        return new JsonAttributes(allowed(property, properties, always, beans), property, loader);
    }

    private static AllowedClasses allowed(
            String property, StoreSessionProperties properties, List<String> always, BeanFactory beans) {
        return ApplicationClasses.allowed(property, properties.allowedClasses(), always, beans);
    }
}
