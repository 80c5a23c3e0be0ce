package dev.ttlstore.spring.aot;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.spring.values.SpringValues;

/**
 * The native image hints of sessions: classes whose objects sessions hold, beside those that Spring Session registers, and what finds
 * the user of a login by reflection.
 */
final class SessionHints {

    /** Beside {@link AllowedClasses#ofJava} and {@link SpringValues}, which do not name classes whose package is allowed. */
    private static final List<String> FURTHER = List.of(
            "java.net.URL", // only if a property allows it
            "java.time.Ser",
            "java.util.Collections$EmptyList",
            "java.util.Collections$EmptyMap",
            "java.util.Collections$EmptySet",
            "java.util.Collections$ReverseComparator",
            "java.util.Collections$ReverseComparator2",
            "java.util.Collections$SingletonList",
            "java.util.Collections$SingletonMap",
            "java.util.Collections$SingletonSet",
            "java.util.Collections$SynchronizedCollection",
            "java.util.Collections$SynchronizedList",
            "java.util.Collections$SynchronizedMap",
            "java.util.Collections$SynchronizedRandomAccessList",
            "java.util.Collections$SynchronizedSet",
            "java.util.Collections$UnmodifiableCollection",
            "java.util.Collections$UnmodifiableList",
            "java.util.Collections$UnmodifiableMap",
            "java.util.Collections$UnmodifiableRandomAccessList",
            "java.util.Collections$UnmodifiableSet",
            "java.util.TreeMap",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentSkipListMap",
            "java.util.concurrent.ConcurrentSkipListSet",
            "java.util.concurrent.atomic.AtomicBoolean",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.atomic.AtomicLong",
            "java.util.concurrent.atomic.AtomicReference",
            "org.springframework.http.HttpStatus",
            "org.springframework.security.access.AccessDeniedException",
            "org.springframework.security.authentication.AnonymousAuthenticationToken",
            "org.springframework.security.authentication.RememberMeAuthenticationToken",
            "org.springframework.security.authentication.ott.OneTimeTokenAuthentication",
            "org.springframework.security.core.authority.FactorGrantedAuthority",
            "org.springframework.security.core.session.SessionInformation",
            "org.springframework.security.oauth2.client.OAuth2AuthorizedClient",
            "org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken",
            "org.springframework.security.oauth2.client.registration.ClientRegistration",
            "org.springframework.security.oauth2.client.registration.ClientRegistration$ClientSettings",
            "org.springframework.security.oauth2.client.registration.ClientRegistration$ProviderDetails",
            "org.springframework.security.oauth2.client.registration.ClientRegistration$ProviderDetails$UserInfoEndpoint",
            "org.springframework.security.oauth2.core.AbstractOAuth2Token",
            "org.springframework.security.oauth2.core.AuthenticationMethod",
            "org.springframework.security.oauth2.core.AuthorizationGrantType",
            "org.springframework.security.oauth2.core.ClientAuthenticationMethod",
            "org.springframework.security.oauth2.core.OAuth2AccessToken",
            "org.springframework.security.oauth2.core.OAuth2AccessToken$TokenType",
            "org.springframework.security.oauth2.core.OAuth2AuthenticationException",
            "org.springframework.security.oauth2.core.OAuth2Error",
            "org.springframework.security.oauth2.core.OAuth2RefreshToken",
            "org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest",
            "org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationResponseType",
            "org.springframework.security.oauth2.core.oidc.OidcIdToken",
            "org.springframework.security.oauth2.core.oidc.OidcUserInfo",
            "org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser",
            "org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority",
            "org.springframework.security.oauth2.core.user.DefaultOAuth2User",
            "org.springframework.security.oauth2.core.user.OAuth2UserAuthority",
            "org.springframework.security.web.authentication.WebAuthenticationDetails",
            "org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken",
            "org.springframework.security.web.authentication.switchuser.SwitchUserGrantedAuthority",
            "org.springframework.security.web.csrf.DefaultCsrfToken",
            "org.springframework.security.web.savedrequest.DefaultSavedRequest",
            "org.springframework.security.web.savedrequest.SavedCookie",
            "org.springframework.validation.AbstractBindingResult",
            "org.springframework.validation.AbstractErrors",
            "org.springframework.validation.AbstractPropertyBindingResult",
            "org.springframework.validation.BeanPropertyBindingResult",
            "org.springframework.validation.DefaultMessageCodesResolver",
            "org.springframework.validation.DefaultMessageCodesResolver$Format",
            "org.springframework.validation.FieldError",
            "org.springframework.validation.MapBindingResult",
            "org.springframework.validation.ObjectError");

    /** Spring Session asks them for the authentication and its name, by an expression. */
    private static final List<String> ASKED = List.of(
            "org.springframework.security.authentication.AbstractAuthenticationToken",
            "org.springframework.security.authentication.UsernamePasswordAuthenticationToken",
            "org.springframework.security.core.context.SecurityContextImpl");

    private SessionHints() {}

    static void addTo(RuntimeHints hints, @Nullable ClassLoader loader) {
        Stream.of(
                        AllowedClasses.ofJava(),
                        SpringValues.ANYWHERE,
                        SpringValues.OF_MVC,
                        SpringValues.OF_SECURITY,
                        FURTHER)
                .flatMap(Collection::stream)
                .filter(name -> isSerializable(name, loader))
                .forEach(name -> hints.reflection()
                        .registerType(TypeReference.of(name), type -> type.withJavaSerialization(true)));
        ASKED.forEach(
                name -> hints.reflection().registerType(TypeReference.of(name), MemberCategory.INVOKE_PUBLIC_METHODS));
    }

    /** A pattern of names is no name of a class. */
    private static boolean isSerializable(String name, @Nullable ClassLoader loader) {
        return ClassUtils.isPresent(name, loader)
                && Serializable.class.isAssignableFrom(ClassUtils.resolveClassName(name, loader));
    }
}
