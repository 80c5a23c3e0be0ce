package dev.ttlstore.spring.values;

import java.io.File;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URL;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.EventObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;

import org.hibernate.collection.spi.PersistentBag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeHint;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.i18n.SimpleTimeZoneAwareLocaleContext;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.RememberMeAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthentication;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.core.session.SessionInformation;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.OidcUserInfo;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;
import org.springframework.security.web.authentication.switchuser.SwitchUserGrantedAuthority;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.security.web.savedrequest.HttpSessionRequestCache;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.FieldError;
import org.springframework.validation.MapBindingResult;
import org.springframework.validation.ObjectError;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.i18n.SessionLocaleResolver;
import org.springframework.web.servlet.support.SessionFlashMapManager;
import org.springframework.web.util.HttpSessionMutexListener;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;

import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import net.minidev.json.JSONObject;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** What Spring puts into sessions and caches can be stored. */
class SpringValuesTests {

    private static final AllowedClasses OF_SESSIONS = allowed();

    private static final JavaCodec CODEC = new JavaCodec(OF_SESSIONS, "store.session.allowed-classes", null);

    private static AllowedClasses allowed() {
        List<String> all = new ArrayList<>(SpringValues.ANYWHERE);
        all.addAll(SpringValues.OF_MVC);
        all.addAll(SpringValues.OF_SECURITY);
        all.add("java.net.URL");
        all.add(Form.class.getName());
        return AllowedClasses.of(all);
    }

    private static final Set<String> KEPT = keptInNativeImages();

    @SuppressWarnings("removal") // Spring Session still registers classes in the old way
    private static Set<String> keptInNativeImages() {
        RuntimeHints hints = new RuntimeHints();
        AotServices.factories()
                .load(RuntimeHintsRegistrar.class)
                .forEach(registrar -> registrar.registerHints(hints, SpringValuesTests.class.getClassLoader()));
        Set<String> kept = new HashSet<>();
        hints.reflection()
                .typeHints()
                .filter(TypeHint::hasJavaSerialization)
                .forEach(hint -> kept.add(hint.getType().getName()));
        hints.serialization()
                .javaSerializationHints()
                .forEach(hint -> kept.add(hint.getType().getName()));
        return kept;
    }

    private static void assertStored(Object value) {
        assertThat(CODEC.decode(CODEC.encode(value))).isInstanceOf(value.getClass());
        assertThat(classesWithin(value))
                .filteredOn(type -> !KEPT.contains(type.getName()))
                .as("what a native image would not keep")
                .isEmpty();
    }

    private static Set<Class<?>> classesWithin(Object value) {
        Set<Class<?>> classes = new LinkedHashSet<>();
        try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream()) {
            @Override
            protected void annotateClass(Class<?> type) {
                classes.add(type);
            }
        }) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        classes.removeIf(type -> type.isArray() || type == Form.class);
        return classes;
    }

    private static void assertStored(HttpSession session) {
        List<String> names = Collections.list(session.getAttributeNames());
        assertThat(names).isNotEmpty();
        names.forEach(name -> assertStored(requireNonNull(session.getAttribute(name))));
    }

    /** A form that is filled in. */
    record Form(String name, int age) implements Serializable {}

    @Test
    void whatSpringMvcKeepsForTheNextRequest() {
        MockHttpServletRequest request = new MockHttpServletRequest();
        MockHttpServletResponse response = new MockHttpServletResponse();

        SessionLocaleResolver locales = new SessionLocaleResolver();
        locales.setLocaleContext(
                request,
                response,
                new SimpleTimeZoneAwareLocaleContext(Locale.GERMANY, TimeZone.getTimeZone("Europe/Berlin")));

        FlashMap flash = new FlashMap();
        flash.put("message", "Saved");
        flash.setTargetRequestPath("/next");
        flash.addTargetRequestParam("id", "1");
        BeanPropertyBindingResult errors = new BeanPropertyBindingResult(new Form("", 1), "form");
        errors.rejectValue("name", "required", new Object[] {1}, "must not be empty");
        errors.reject("bad");
        flash.put(BeanPropertyBindingResult.MODEL_KEY_PREFIX + "form", errors);
        new SessionFlashMapManager().saveOutputFlashMap(flash, request, response);

        new HttpSessionMutexListener().sessionCreated(new HttpSessionEvent(requireNonNull(request.getSession())));
        assertStored(requireNonNull(request.getSession()));

        assertStored(new MapBindingResult(new HashMap<>(), "form"));
        assertStored(new FieldError("form", "name", "a", true, new String[] {"code"}, new Object[] {1}, "message"));
        assertStored(new ObjectError("form", "message"));
        assertStored(new Cookie("a", "b"));
    }

    @Test
    void headersPagesAndCollections() {
        HttpHeaders headers = new HttpHeaders();
        headers.add("Accept", "text/plain");
        assertStored(headers);
        assertStored(HttpHeaders.readOnlyHttpHeaders(headers));
        assertStored(HttpMethod.GET);
        assertStored(HttpStatus.OK);
        assertStored(HttpStatusCode.valueOf(299));
        assertStored(MediaType.parseMediaType("text/plain;charset=utf-8"));
        assertStored(ProblemDetail.forStatus(HttpStatus.NOT_FOUND));
        assertStored(new LinkedMultiValueMap<>(Map.of("a", List.of("b"))));
        assertStored(DataSize.ofMegabytes(1));
        assertThat(OF_SESSIONS.contains(PersistentBag.class)).isTrue();
    }

    private static final Instant NOW = Instant.now();

    private static final List<GrantedAuthority> USER = AuthorityUtils.createAuthorityList("ROLE_USER");

    private static ClientRegistration registration() {
        return ClientRegistration.withRegistrationId("here")
                .clientId("client")
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri("{baseUrl}/login")
                .authorizationUri("https://server.example/authorize")
                .tokenUri("https://server.example/token")
                .build();
    }

    private static Authentication openId() throws IOException {
        URL issuer = URI.create("https://server.example").toURL();
        Map<String, Object> claims = new LinkedHashMap<>(
                Map.of("sub", "ann", "iss", issuer, "iat", NOW, "aud", new ArrayList<>(List.of("client"))));
        OidcIdToken token = new OidcIdToken("token", NOW, NOW.plusSeconds(60), claims);
        OidcUserInfo info =
                OidcUserInfo.builder().subject("ann").email("ann@example.com").build();
        Set<GrantedAuthority> authorities = Set.of(new OidcUserAuthority(token, info));
        return new OAuth2AuthenticationToken(new DefaultOidcUser(authorities, token, info), authorities, "here");
    }

    private static List<Authentication> logins() throws IOException {
        User user = new User("ann", "", USER);
        return new ArrayList<>(List.of(
                UsernamePasswordAuthenticationToken.authenticated(user, null, USER),
                new AnonymousAuthenticationToken("key", "anonymous", USER),
                new RememberMeAuthenticationToken("key", user, USER),
                new OneTimeTokenAuthentication(user, USER),
                new PreAuthenticatedAuthenticationToken(user, "N/A", USER),
                openId()));
    }

    @Test
    void loginsOfAllKinds() throws IOException {
        MockHttpServletRequest request = new MockHttpServletRequest();
        requireNonNull(request.getSession());
        for (Authentication login : logins()) {
            if (login instanceof AbstractAuthenticationToken token) {
                token.setDetails(new WebAuthenticationDetails(request));
            }
            assertStored(new SecurityContextImpl(login));
            assertStored(new SwitchUserGrantedAuthority("ROLE_PREVIOUS_ADMINISTRATOR", login));
        }
    }

    @Test
    void whatSpringSecurityKeepsForTheNextRequest() throws IOException {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/a");
        MockHttpServletResponse response = new MockHttpServletResponse();
        request.setCookies(new Cookie("a", "b"));
        request.addHeader("Accept", "text/html");
        request.addParameter("q", "1");
        new HttpSessionRequestCache().saveRequest(request, response);
        HttpSessionCsrfTokenRepository tokens = new HttpSessionCsrfTokenRepository();
        tokens.saveToken(tokens.generateToken(request), request, response);
        assertStored(requireNonNull(request.getSession()));

        assertStored(new BadCredentialsException("no", new IOException("no")));
        assertStored(new AccessDeniedException("no"));
        assertStored(new OAuth2AuthenticationException("no"));
        assertStored(new SessionInformation("ann", "session", new Date()));
        assertStored(OAuth2AuthorizationRequest.authorizationCode()
                .authorizationUri("https://server.example/authorize")
                .clientId("client")
                .attributes(Map.of("registration_id", "here"))
                .build());
        assertStored(new HashMap<>(Map.of(
                "here",
                new OAuth2AuthorizedClient(
                        registration(),
                        "ann",
                        new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, "a", NOW, NOW.plusSeconds(1)),
                        new OAuth2RefreshToken("r", NOW)))));
    }

    /** As a server describes itself, and a token: the libraries behind Spring Security have maps and lists of their own. */
    @Test
    void whatComesFromJsonOfOthers() throws Exception {
        JSONObject metadata = OIDCProviderMetadata.parse("""
                {"issuer": "https://server.example", "jwks_uri": "https://server.example/keys",
                 "authorization_endpoint": "https://server.example/authorize", "subject_types_supported": ["public"],
                 "response_types_supported": ["code"], "more": {"names": ["a"]}}""").toJSONObject();
        assertThat(metadata).containsKey("more");
        ClientRegistration registration = ClientRegistration.withClientRegistration(registration())
                .providerConfigurationMetadata(new LinkedHashMap<>(metadata))
                .build();
        assertStored(registration);
        Map<String, Object> claims =
                JSONObjectUtils.parse("{\"sub\": \"ann\", \"realm\": {\"roles\": [\"a\"]}, \"n\": 5}");
        assertThat(CODEC.decode(CODEC.encode(claims))).isEqualTo(claims);
    }

    /** As a login by a certificate of the client has it. */
    @Test
    void certificates() throws Exception {
        KeyStore trusted =
                KeyStore.getInstance(new File(System.getProperty("java.home"), "lib/security/cacerts"), (char[]) null);
        Certificate any = trusted.getCertificate(trusted.aliases().nextElement());
        assertStored(any);
    }

    /** So that a class of a later release is noticed that has something that may not be stored. */
    @Test
    void whatClassesOfSpringSecurityConsistOf() throws ClassNotFoundException {
        ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false) {
            @Override
            protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
                return true;
            }
        };
        scanner.addIncludeFilter(new AssignableTypeFilter(Serializable.class));
        Set<String> refused = new TreeSet<>();
        int seen = 0;
        for (BeanDefinition found : scanner.findCandidateComponents("org/springframework/security")) {
            String name = requireNonNull(found.getBeanClassName());
            for (ObjectStreamField field : fields(name)) {
                Class<?> part = field.getType();
                if (!OF_SESSIONS.contains(part) && !Modifier.isAbstract(part.getModifiers())) {
                    refused.add(name + "." + field.getName() + ": " + part.getName());
                }
                seen++;
            }
        }
        assertThat(seen).isGreaterThan(200);
        assertThat(refused).isEmpty();
    }

    private static ObjectStreamField[] fields(String name) throws ClassNotFoundException {
        try {
            Class<?> type = Class.forName(name, false, SpringValuesTests.class.getClassLoader());
            return type.isAnonymousClass() || EventObject.class.isAssignableFrom(type)
                    ? new ObjectStreamField[0]
                    : ObjectStreamClass.lookup(type).getFields();
        } catch (NoClassDefFoundError e) {
            return new ObjectStreamField[0]; // it needs a library that is not here
        }
    }
}
