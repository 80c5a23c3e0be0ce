package dev.ttlstore.spring.aot;

import java.util.List;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;

/**
 * The native image hints of sessions: classes whose objects sessions hold, beside those that Spring Session registers, and what finds
 * the user of a login by reflection.
 */
final class SessionHints {

    private static final List<String> SERIALIZED = List.of(
            "dev.ttlstore.serialization.PlainOptional",
            "dev.ttlstore.serialization.PlainRecord",
            "java.lang.Boolean",
            "java.lang.Enum",
            "java.lang.String$CaseInsensitiveComparator",
            "java.time.Ser",
            "java.util.Arrays$ArrayList",
            "java.util.CollSer",
            "java.util.Collections$EmptyMap",
            "java.util.Collections$EmptySet",
            "java.util.Collections$SingletonList",
            "java.util.Collections$UnmodifiableMap",
            "java.util.Date",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.Locale",
            "java.util.TreeMap",
            "java.util.UUID",
            "java.util.concurrent.CopyOnWriteArrayList",
            "org.springframework.security.core.authority.FactorGrantedAuthority",
            "org.springframework.security.web.authentication.WebAuthenticationDetails",
            "org.springframework.security.web.csrf.DefaultCsrfToken",
            "org.springframework.security.web.savedrequest.DefaultSavedRequest",
            "org.springframework.security.web.savedrequest.SavedCookie",
            "org.springframework.util.LinkedMultiValueMap",
            "org.springframework.util.MultiValueMapAdapter",
            "org.springframework.web.servlet.FlashMap");

    /** Spring Session asks them for the authentication and its name, by an expression. */
    private static final List<String> ASKED = List.of(
            "org.springframework.security.authentication.AbstractAuthenticationToken",
            "org.springframework.security.authentication.UsernamePasswordAuthenticationToken",
            "org.springframework.security.core.context.SecurityContextImpl");

    private SessionHints() {}

    static void addTo(RuntimeHints hints) {
        SERIALIZED.forEach(name ->
                hints.reflection().registerType(TypeReference.of(name), type -> type.withJavaSerialization(true)));
        ASKED.forEach(
                name -> hints.reflection().registerType(TypeReference.of(name), MemberCategory.INVOKE_PUBLIC_METHODS));
    }
}
