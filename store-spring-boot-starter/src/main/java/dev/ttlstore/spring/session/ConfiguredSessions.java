package dev.ttlstore.spring.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.session.autoconfigure.SessionTimeout;
import org.springframework.session.FlushMode;
import org.springframework.session.IndexResolver;
import org.springframework.session.MapSession;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;
import org.springframework.session.SessionIdGenerator;
import org.springframework.util.ClassUtils;

import dev.ttlstore.Codec;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.autoconfigure.ApplicationClasses;
import dev.ttlstore.spring.values.SpringValues;

/** The settings of sessions that properties and beans declare. */
final class ConfiguredSessions {

    private static final String SECTION = "store.session";

    /** Present if a login can be one at another site, whose address is a {@code java.net.URL} of the login. */
    private static final String OPEN_ID = "org.springframework.security.oauth2.core.oidc.OidcIdToken";

    private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

    private final ObjectProvider<SessionTimeout> timeouts;
    private final ObjectProvider<IndexResolver<Session>> indexes;
    private final ObjectProvider<SessionIdGenerator> ids;

    /** Takes what an application can have of its own. */
    ConfiguredSessions(
            ObjectProvider<SessionTimeout> timeouts,
            ObjectProvider<IndexResolver<Session>> indexes,
            ObjectProvider<SessionIdGenerator> ids) {
        this.timeouts = timeouts;
        this.indexes = indexes;
        this.ids = ids;
    }

    /** Returns the settings. A timeout of zero is none, as it is for Boot's web servers. */
    StoreSessionSettings settings(StoreSessionProperties properties, BeanFactory beans, @Nullable ClassLoader loader) {
        StoreSessionSettings given = StoreSessionSettings.of(timeout(), attributes(properties, beans, loader));
        return new StoreSessionSettings(
                given.timeout(),
                SaveMode.valueOf(properties.saveMode().name()),
                FlushMode.valueOf(properties.flushMode().name()),
                given.attributes(),
                indexes.getIfUnique(given::indexes),
                ids.getIfUnique(given::ids));
    }

    private Duration timeout() {
        SessionTimeout timeout = timeouts.getIfAvailable();
        Duration given = timeout == null ? null : timeout.getTimeout();
        if (given == null) {
            return MapSession.DEFAULT_MAX_INACTIVE_INTERVAL;
        }
        return given.isZero() ? Duration.ofSeconds(-1) : given;
    }

    /** Refuses what a reactive application cannot do, so that the property does not go unnoticed. */
    static void requireFlushOnSave(StoreSessionProperties properties) {
        if (properties.flushMode() == StoreSessionProperties.FlushMode.IMMEDIATE) {
            throw new InvalidConfigurationPropertyValueException(
                    SECTION + ".flush-mode",
                    "immediate",
                    "a WebFlux application cannot write each change at once, because the methods that change a session"
                            + " return nothing to wait for: remove the property, or call 'WebSession.save()' where a"
                            + " change must not wait for the end of the request");
        }
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
