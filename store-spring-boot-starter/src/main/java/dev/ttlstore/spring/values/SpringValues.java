package dev.ttlstore.spring.values;

import java.util.List;

/**
 * Lists the classes of Spring and related libraries that sessions, caches and messages hold. It collects them from what these
 * libraries put there themselves.
 *
 * @since 0.1
 * @see dev.ttlstore.serialization.AllowedClasses
 */
public final class SpringValues {

    /** Headers, pages, and collections. */
    public static final List<String> ANYWHERE = List.of(
            "org.hibernate.collection.spi.*", // of entities
            "org.springframework.data.domain.*",
            "org.springframework.http.DefaultHttpStatusCode",
            "org.springframework.http.HttpHeaders",
            "org.springframework.http.HttpMethod",
            "org.springframework.http.MediaType",
            "org.springframework.http.ProblemDetail",
            "org.springframework.http.ReadOnlyHttpHeaders",
            "org.springframework.util.LinkedCaseInsensitiveMap",
            "org.springframework.util.LinkedCaseInsensitiveMap$1",
            "org.springframework.util.LinkedMultiValueMap",
            "org.springframework.util.MimeType",
            "org.springframework.util.MultiValueMapAdapter",
            "org.springframework.util.UnmodifiableMultiValueMap",
            "org.springframework.util.unit.DataSize",
            "org.springframework.web.servlet.FlashMap");

    /** What Spring MVC and the servlet API keep for the next request: flash attributes, and errors of a form. */
    public static final List<String> OF_MVC = List.of(
            "jakarta.servlet.http.Cookie",
            "org.springframework.context.support.DefaultMessageSourceResolvable",
            "org.springframework.ui.ExtendedModelMap",
            "org.springframework.ui.ModelMap",
            "org.springframework.validation.**",
            "org.springframework.web.util.HttpSessionMutexListener$Mutex");

    /** Logins, how they came about, why one has failed, where it leads to. Spring Security tests that all of them can be stored. */
    public static final List<String> OF_SECURITY = List.of(
            "java.io.IOException",
            "java.lang.Exception",
            "java.lang.IllegalArgumentException",
            "java.lang.IllegalStateException",
            "java.lang.RuntimeException",
            "java.lang.StackTraceElement",
            "java.lang.Throwable",
            "java.security.cert.Certificate$CertificateRep",
            "javax.security.auth.x500.X500Principal",
            "net.minidev.json.JSONArray", // what a server says of itself, in registrations of OAuth2 clients
            "net.minidev.json.JSONObject",
            "org.apereo.cas.client.authentication.*",
            "org.apereo.cas.client.validation.AssertionImpl",
            "org.springframework.security.**");

    /** Messages, what Spring Integration notes in them, and the exceptions that error messages have. */
    public static final List<String> OF_MESSAGING = List.of(
            "java.io.IOException",
            "java.lang.Exception",
            "java.lang.IllegalArgumentException",
            "java.lang.IllegalStateException",
            "java.lang.RuntimeException",
            "java.lang.StackTraceElement",
            "java.lang.Throwable",
            "java.util.concurrent.atomic.AtomicInteger", // the number of attempts
            "org.springframework.core.NestedRuntimeException",
            "org.springframework.integration.*",
            "org.springframework.integration.handler.DelayHandler$DelayedMessageWrapper",
            "org.springframework.integration.history.*",
            "org.springframework.integration.message.*",
            "org.springframework.integration.support.*",
            "org.springframework.messaging.*",
            "org.springframework.messaging.support.*");

    private SpringValues() {}
}
