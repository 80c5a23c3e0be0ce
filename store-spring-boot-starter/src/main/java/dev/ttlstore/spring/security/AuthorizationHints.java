package dev.ttlstore.spring.security;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/**
 * Registers the native image hints of stored authorizations and logins at OpenID providers: the types that Jackson reads and writes, and the modules
 * that Spring Security looks up by name. Spring Security registers its part only for its JDBC implementation.
 *
 * @since 0.1
 * @see StoreAuthorizationService
 */
public final class AuthorizationHints implements RuntimeHintsRegistrar {

    private static final String SECURITY = "org.springframework.security.";

    /** Modules, and classes of values that attributes and claims consist of. */
    private static final List<String> WITH_MEMBERS = List.of(
            "java.util.HashSet",
            SECURITY + "authentication.AbstractAuthenticationToken",
            SECURITY + "authentication.UsernamePasswordAuthenticationToken",
            SECURITY + "authentication.RememberMeAuthenticationToken",
            SECURITY + "authentication.ott.OneTimeTokenAuthentication",
            SECURITY + "core.authority.FactorGrantedAuthority",
            SECURITY + "core.authority.SimpleGrantedAuthority",
            SECURITY + "core.userdetails.User",
            SECURITY + "jackson.CoreJacksonModule",
            SECURITY + "oauth2.client.authentication.OAuth2AuthenticationToken",
            SECURITY + "oauth2.client.jackson.OAuth2ClientJacksonModule",
            SECURITY + "oauth2.core.AbstractOAuth2Token",
            SECURITY + "oauth2.core.AuthorizationGrantType",
            SECURITY + "oauth2.core.endpoint.OAuth2AuthorizationRequest",
            SECURITY + "oauth2.core.endpoint.OAuth2AuthorizationResponseType",
            SECURITY + "oauth2.core.oidc.OidcIdToken",
            SECURITY + "oauth2.core.oidc.OidcUserInfo",
            SECURITY + "oauth2.core.oidc.user.DefaultOidcUser",
            SECURITY + "oauth2.core.oidc.user.OidcUserAuthority",
            SECURITY + "oauth2.core.user.DefaultOAuth2User",
            SECURITY + "oauth2.core.user.OAuth2UserAuthority",
            SECURITY + "oauth2.server.authorization.authentication.OAuth2TokenExchangeActor",
            SECURITY + "oauth2.server.authorization.authentication.OAuth2TokenExchangeCompositeAuthenticationToken",
            SECURITY + "oauth2.server.authorization.jackson.OAuth2AuthorizationServerJacksonModule",
            SECURITY + "oauth2.server.authorization.settings.OAuth2TokenFormat",
            SECURITY + "web.authentication.WebAuthenticationDetails",
            SECURITY + "web.jackson.WebJacksonModule",
            SECURITY + "web.jackson.WebServletJacksonModule",
            SECURITY + "web.savedrequest.DefaultSavedRequest$Builder",
            SECURITY + "web.server.jackson.WebServerJacksonModule");

    /** What says how Jackson maps these classes. */
    private static final List<String> BOUND = List.of(
            SECURITY + "jackson.FactorGrantedAuthorityMixin",
            SECURITY + "jackson.OneTimeTokenAuthenticationMixin",
            SECURITY + "jackson.RememberMeAuthenticationTokenMixin",
            SECURITY + "jackson.SimpleGrantedAuthorityMixin",
            SECURITY + "jackson.UserMixin",
            SECURITY + "jackson.UsernamePasswordAuthenticationTokenMixin",
            SECURITY + "oauth2.client.jackson.DefaultOAuth2UserMixin",
            SECURITY + "oauth2.client.jackson.DefaultOidcUserMixin",
            SECURITY + "oauth2.client.jackson.OAuth2AuthenticationTokenMixin",
            SECURITY + "oauth2.client.jackson.OAuth2UserAuthorityMixin",
            SECURITY + "oauth2.client.jackson.OidcIdTokenMixin",
            SECURITY + "oauth2.client.jackson.OidcUserAuthorityMixin",
            SECURITY + "oauth2.client.jackson.OidcUserInfoMixin",
            SECURITY + "oauth2.server.authorization.jackson.JwsAlgorithmMixin",
            SECURITY + "oauth2.server.authorization.jackson.OAuth2AuthorizationRequestMixin",
            SECURITY + "oauth2.server.authorization.jackson.OAuth2TokenExchangeActorMixin",
            SECURITY + "oauth2.server.authorization.jackson.OAuth2TokenExchangeCompositeAuthenticationTokenMixin",
            SECURITY + "oauth2.server.authorization.jackson.OAuth2TokenFormatMixin",
            SECURITY + "web.jackson.DefaultSavedRequestMixin",
            SECURITY + "web.jackson.WebAuthenticationDetailsMixin");

    /** Creates the hints. Spring does that. */
    public AuthorizationHints() {}

    static List<String> names() {
        return Stream.concat(WITH_MEMBERS.stream(), BOUND.stream()).toList();
    }

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        BindingReflectionHintsRegistrar bound = new BindingReflectionHintsRegistrar();
        bound.registerReflectionHints(hints.reflection(), StoredAuthorization.class, StoredToken.class);
        hints.reflection().registerType(Collections.class);
        for (String name : WITH_MEMBERS) {
            hints.reflection()
                    .registerTypeIfPresent(
                            classLoader,
                            name,
                            MemberCategory.ACCESS_DECLARED_FIELDS,
                            MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
                            MemberCategory.INVOKE_DECLARED_METHODS);
        }
        for (String name : BOUND) {
            if (ClassUtils.isPresent(name, classLoader)) {
                bound.registerReflectionHints(hints.reflection(), ClassUtils.resolveClassName(name, classLoader));
            }
        }
    }
}
