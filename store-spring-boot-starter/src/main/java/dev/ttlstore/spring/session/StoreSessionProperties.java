package dev.ttlstore.spring.session;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of Spring Session's sessions in the store.
 *
 * @param enabled Whether the HTTP sessions of a web application are in the store.
 * @param saveMode Attributes that a request writes: 'on-set-attribute' writes those that it has set, 'on-get-attribute'
 *     also those that it has read and changed, 'always' also others that have changed.
 * @param flushMode Time of writing changes: 'on-save' at the end of the request, 'immediate' with each change.
 * @param format Format of attributes: 'java' for Java's serialization, 'json' for JSON that names the classes.
 * @param allowedClasses Classes that attributes may contain, in addition to Java's strings, numbers, times and
 *     collections, the classes that Spring keeps in sessions, and those in the packages of the application. Write
 *     'com.example.Cart' for a class, 'com.example.*' for a package, or 'com.example.**' to include the packages below.
 * @since 0.1
 * @see StoreSessionRepository
 */
@ConfigurationProperties("store.session")
public record StoreSessionProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("on-set-attribute") SaveMode saveMode,
        @DefaultValue("on-save") FlushMode flushMode,
        @DefaultValue("java") Format format,
        @DefaultValue List<String> allowedClasses) {

    /** The attributes that a request writes. */
    public enum SaveMode {

        /** Those that it has set or removed. */
        ON_SET_ATTRIBUTE,

        /** Also those that it has read, if they have changed. */
        ON_GET_ATTRIBUTE,

        /** All that have changed. */
        ALWAYS
    }

    /** When changes are written. */
    public enum FlushMode {

        /** At the end of the request, before its response. */
        ON_SAVE,

        /** With each change. */
        IMMEDIATE
    }

    /** The format of attributes. */
    public enum Format {

        /** Java's serialization. */
        JAVA,

        /** JSON by Jackson, with the names of the classes. */
        JSON
    }
}
