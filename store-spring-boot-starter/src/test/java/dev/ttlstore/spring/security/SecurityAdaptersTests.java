package dev.ttlstore.spring.security;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.InMemoryOneTimeTokenService;
import org.springframework.security.authentication.ott.OneTimeToken;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.authentication.ott.OneTimeTokenService;
import org.springframework.security.authentication.ott.reactive.InMemoryReactiveOneTimeTokenService;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.oidc.server.session.InMemoryReactiveOidcSessionRegistry;
import org.springframework.security.oauth2.client.oidc.session.InMemoryOidcSessionRegistry;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionRegistry;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;
import org.springframework.security.oauth2.server.authorization.InMemoryOAuth2AuthorizationConsentService;
import org.springframework.security.oauth2.server.authorization.InMemoryOAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsentService;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.web.authentication.rememberme.InMemoryTokenRepositoryImpl;
import org.springframework.security.web.authentication.rememberme.PersistentTokenRepository;

import dev.ttlstore.spring.SharedMetadata;
import dev.ttlstore.spring.StarterRunner;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/** Spring Security's adapters are there if their property says so, after beans of the application. */
@ExtendWith(OutputCaptureExtension.class)
class SecurityAdaptersTests {

    private static final String[] ENABLED = {
        "store.one-time-tokens.enabled=true",
        "store.remember-me.enabled=true",
        "store.authorizations.enabled=true",
        "store.authorized-clients.enabled=true",
        "store.authorization-consents.enabled=true",
        "store.oidc-sessions.enabled=true"
    };

    /** Those that reactive applications can have. */
    private static final String[] REACTIVE = {ENABLED[0], ENABLED[3], ENABLED[5]};

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.at(folder)
                .withBean(RegisteredClientRepository.class, () -> mock(RegisteredClientRepository.class))
                .withBean(ClientRegistrationRepository.class, () -> mock(ClientRegistrationRepository.class))
                .withPropertyValues(properties);
    }

    @Test
    void noneIsThereByItself() {
        runner().run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(OneTimeTokenService.class)
                .doesNotHaveBean(PersistentTokenRepository.class)
                .doesNotHaveBean(OAuth2AuthorizationService.class)
                .doesNotHaveBean(OAuth2AuthorizedClientService.class)
                .doesNotHaveBean(OAuth2AuthorizationConsentService.class)
                .doesNotHaveBean(OidcSessionRegistry.class));
    }

    @Test
    void eachIsThereIfItsPropertySaysSo() {
        runner(ENABLED).run(context -> assertThat(context)
                .hasSingleBean(StoreOneTimeTokenService.class)
                .hasSingleBean(StorePersistentTokenRepository.class)
                .hasSingleBean(StoreAuthorizationService.class)
                .hasSingleBean(StoreAuthorizedClientService.class)
                .hasSingleBean(StoreAuthorizationConsentService.class)
                .hasSingleBean(StoreOidcSessionRegistry.class));
    }

    @Test
    void aNewerTokenEndsTheOlderOnesIfThePropertySaysSo() {
        for (boolean newestOnly : new boolean[] {true, false}) {
            runner("store.one-time-tokens.enabled=true", "store.one-time-tokens.newest-only=" + newestOnly)
                    .run(context -> {
                        OneTimeTokenService tokens = context.getBean(OneTimeTokenService.class);
                        OneTimeToken older = requireNonNull(tokens.generate(new GenerateOneTimeTokenRequest("ann")));
                        OneTimeToken unused = tokens.generate(new GenerateOneTimeTokenRequest("ann"));
                        assertThat(tokens.consume(new OneTimeTokenAuthenticationToken(older.getTokenValue())) == null)
                                .isEqualTo(newestOnly);
                    });
        }
    }

    @Test
    void eachIsThereAlone() {
        Map<String, Class<?>> beans = Map.of(
                ENABLED[0], OneTimeTokenService.class,
                ENABLED[1], PersistentTokenRepository.class,
                ENABLED[2], OAuth2AuthorizationService.class,
                ENABLED[3], OAuth2AuthorizedClientService.class,
                ENABLED[4], OAuth2AuthorizationConsentService.class,
                ENABLED[5], OidcSessionRegistry.class);
        beans.forEach((property, bean) -> runner(property).run(context -> {
            beans.values().forEach(type -> assertThat(context.getBeanNamesForType(type))
                    .as(property)
                    .hasSize(type == bean ? 1 : 0));
        }));
    }

    @Test
    void beansOfTheApplicationComeFirst() {
        runner(ENABLED)
                .withBean(InMemoryOneTimeTokenService.class)
                .withBean(InMemoryTokenRepositoryImpl.class)
                .withBean(InMemoryOAuth2AuthorizationService.class, () -> new InMemoryOAuth2AuthorizationService())
                .withBean(
                        InMemoryOAuth2AuthorizedClientService.class,
                        () -> new InMemoryOAuth2AuthorizedClientService(mock(ClientRegistrationRepository.class)))
                .withBean(
                        InMemoryOAuth2AuthorizationConsentService.class,
                        () -> new InMemoryOAuth2AuthorizationConsentService())
                .withBean(InMemoryOidcSessionRegistry.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(StoreOneTimeTokenService.class)
                        .doesNotHaveBean(StorePersistentTokenRepository.class)
                        .doesNotHaveBean(StoreAuthorizationService.class)
                        .doesNotHaveBean(StoreAuthorizedClientService.class)
                        .doesNotHaveBean(StoreAuthorizationConsentService.class)
                        .doesNotHaveBean(StoreOidcSessionRegistry.class));
    }

    private ReactiveWebApplicationContextRunner reactive() {
        return new ReactiveWebApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withConfiguration(AutoConfigurations.of(
                        StoreAutoConfiguration.class,
                        StoreAuthorizedClientsAutoConfiguration.class,
                        StoreOidcSessionsAutoConfiguration.class,
                        StoreOneTimeTokensAutoConfiguration.class))
                .withBean(
                        ReactiveClientRegistrationRepository.class,
                        () -> mock(ReactiveClientRegistrationRepository.class))
                .withPropertyValues("store.path=" + folder.resolve("store.db"))
                .withPropertyValues(REACTIVE);
    }

    @Test
    void aReactiveApplicationHasThoseThatItCanUse() {
        reactive().run(context -> assertThat(context)
                .hasSingleBean(StoreReactiveOneTimeTokenService.class)
                .hasSingleBean(StoreReactiveAuthorizedClientService.class)
                .hasSingleBean(StoreReactiveOidcSessionRegistry.class)
                .doesNotHaveBean(OneTimeTokenService.class)
                .doesNotHaveBean(OAuth2AuthorizedClientService.class)
                .doesNotHaveBean(OidcSessionRegistry.class));
    }

    @Test
    void beansOfAReactiveApplicationComeFirst(CapturedOutput output) {
        reactive()
                .withBean("tokens", InMemoryReactiveOneTimeTokenService.class)
                .withBean(
                        "clients",
                        ReactiveOAuth2AuthorizedClientService.class,
                        () -> mock(ReactiveOAuth2AuthorizedClientService.class))
                .withBean("logins", InMemoryReactiveOidcSessionRegistry.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(StoreReactiveOneTimeTokenService.class)
                        .doesNotHaveBean(StoreReactiveAuthorizedClientService.class)
                        .doesNotHaveBean(StoreReactiveOidcSessionRegistry.class));
        assertThat(output)
                .contains(
                        "'store.one-time-tokens.enabled' has no effect, because of the application's own [tokens]",
                        "'store.authorized-clients.enabled' has no effect, because of the application's own [clients]",
                        "'store.oidc-sessions.enabled' has no effect, because of the application's own [logins]");
    }

    /** Or it would keep the clients in memory. */
    @Test
    void whatBootWouldConfigureComesAfterwards() {
        AutoConfiguration order =
                requireNonNull(StoreAuthorizedClientsAutoConfiguration.class.getAnnotation(AutoConfiguration.class));
        String boot = "org.springframework.boot.security.oauth2.client.autoconfigure.";
        assertThat(order.beforeName())
                .containsExactly(
                        boot + "OAuth2ClientAutoConfiguration",
                        boot + "reactive.ReactiveOAuth2ClientAutoConfiguration");
    }

    @ParameterizedTest
    @CsvSource({
        "store.one-time-tokens, authentication.ott, spring-boot-starter-security",
        "store.remember-me, web, spring-boot-starter-security",
        "store.authorizations, oauth2.server.authorization, spring-boot-starter-security-oauth2-authorization-server",
        "store.authorized-clients, oauth2.client, spring-boot-starter-security-oauth2-client",
        "store.authorization-consents, oauth2.server.authorization, spring-boot-starter-security-oauth2-authorization-server",
        "store.oidc-sessions, oauth2.client, spring-boot-starter-security-oauth2-client"
    })
    void oneWithoutItsLibraryEndsTheStart(String section, String missing, String starter) {
        StarterRunner.at(folder)
                .withPropertyValues(section + ".enabled=true")
                .withClassLoader(new FilteredClassLoader("org.springframework.security." + missing))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Property " + section + ".enabled")
                        .hasStackTraceContaining("'org.springframework.boot:" + starter + "'"));
    }

    @Test
    void loginsAtProvidersNeedJackson() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class))
                .withPropertyValues("store.path=" + folder.resolve("store.db"), "store.oidc-sessions.enabled=true")
                .withClassLoader(new FilteredClassLoader("tools.jackson"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Property store.oidc-sessions.enabled")
                        .hasStackTraceContaining("'org.springframework.boot:spring-boot-starter-jackson'"));
    }

    /** Spring Security's remember-me with tokens does not work without it, and does not bring it. */
    @Test
    void rememberMeNeedsTheExceptionsOfDatabases() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(StoreAutoConfiguration.class))
                .withPropertyValues("store.path=" + folder.resolve("store.db"), "store.remember-me.enabled=true")
                .withClassLoader(new FilteredClassLoader("org.springframework.dao"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Property store.remember-me.enabled")
                        .hasStackTraceContaining("'org.springframework:spring-tx'"));
    }

    @Test
    void theStoreStartsWithoutSpringSecurity() {
        StarterRunner.at(folder)
                .withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void oneWithoutTheClientsEndsTheStart() {
        StarterRunner.at(folder)
                .withPropertyValues("store.authorized-clients.enabled=true")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("ClientRegistrationRepository"));
        new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(StoreAutoConfiguration.class, StoreAuthorizationsAutoConfiguration.class))
                .withPropertyValues("store.path=" + folder.resolve("store.db"), "store.authorizations.enabled=true")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("RegisteredClientRepository"));
    }

    /** As in a test of the same application without its web server. */
    @Test
    void withoutAServerThereAreNoAuthorizations(CapturedOutput output) {
        StarterRunner.at(folder)
                .withPropertyValues("store.authorizations.enabled=true")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(StoreAuthorizationService.class));
        assertThat(output).doesNotContain("has no effect");
    }

    @ParameterizedTest
    @CsvSource({
        "store.remember-me.ttl=0s, store.remember-me.ttl",
        "store.remember-me.ttl=14, a duration needs a unit",
        "store.authorizations.pending-ttl=0s, store.authorizations.pending-ttl",
        "store.authorizations.keep-expired=-1s, store.authorizations.keep-expired",
        "store.authorizations.allowed-classes=com.*.User, must be the name of a class",
        "store.authorized-clients.ttl=-1s, zero keeps clients for ever",
        "store.authorization-consents.ttl=-1s, zero keeps consents for ever",
        "store.oidc-sessions.ttl=0s, store.oidc-sessions.ttl",
        "store.oidc-sessions.allowed-classes=com.*.User, must be the name of a class"
    })
    void mistakesInTheirSettingsEndTheStart(String property, String problem) {
        runner(ENABLED)
                .withPropertyValues(property)
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(problem));
    }

    @Test
    void settingsOfWhatIsNotEnabledAreNoticed(CapturedOutput output) {
        runner("store.remember-me.ttl=30d", "store.authorizations.keep-expired=0s")
                .run(context -> assertThat(output)
                        .contains(
                                "The properties [store.remember-me.ttl] have no effect,"
                                        + " because 'store.remember-me.enabled' is not true",
                                "The properties [store.authorizations.keep-expired] have no effect,"
                                        + " because 'store.authorizations.enabled' is not true"));
    }

    @Test
    void aMisspeltSettingIsNoticed(CapturedOutput output) {
        runner("store.one-time-token.enabled=true")
                .run(context -> assertThat(output).contains("Did you mean 'store.one-time-tokens.enabled'?"));
    }
}
