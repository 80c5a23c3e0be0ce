package org.example.tokens;

import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.UUID;

import org.example.FastPasswords;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configuration.OAuth2AuthorizationServerConfiguration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;

import static org.springframework.security.config.Customizer.withDefaults;

/** The authorization server, as Boot would configure it. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableWebSecurity
public class TokenServer {

    /** The same after a restart, and for all tests, because it takes long to generate. */
    private static final RSAKey KEY = generateKey();

    public static void main(String[] arguments) {
        SpringApplication.run(TokenServer.class, arguments);
    }

    @Bean
    @Order(1)
    SecurityFilterChain server(HttpSecurity http) {
        return http.oauth2AuthorizationServer(server -> {
                    http.securityMatcher(server.getEndpointsMatcher());
                    server.oidc(withDefaults());
                    server.deviceAuthorizationEndpoint(withDefaults());
                    server.deviceVerificationEndpoint(withDefaults());
                })
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .exceptionHandling(
                        failures -> failures.authenticationEntryPoint(new LoginUrlAuthenticationEntryPoint("/login")))
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain login(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .formLogin(withDefaults())
                .build();
    }

    @Bean
    PasswordEncoder passwords() {
        return FastPasswords.ENCODER;
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(User.withUsername("ann")
                .password(FastPasswords.encode("secret"))
                .roles("USER")
                .build());
    }

    @Bean
    RegisteredClientRepository clients() {
        return new InMemoryRegisteredClientRepository(
                client("shop", false), client("asking", true), client("device", false));
    }

    private static RegisteredClient client(String name, boolean asksForConsent) {
        return RegisteredClient.withId("id of " + name)
                .clientId(name)
                .clientSecret(FastPasswords.encode("secret of " + name))
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .authorizationGrantType(AuthorizationGrantType.DEVICE_CODE)
                .redirectUri("http://127.0.0.1/callback")
                .postLogoutRedirectUri("http://127.0.0.1/goodbye")
                .scope("openid")
                .scope("read")
                .clientSettings(ClientSettings.builder()
                        .requireProofKey(true)
                        .requireAuthorizationConsent(asksForConsent)
                        .build())
                .tokenSettings(TokenSettings.builder()
                        .reuseRefreshTokens(false)
                        .deviceCodeTimeToLive(Duration.ofSeconds(2))
                        .build())
                .build();
    }

    @Bean
    AuthorizationServerSettings settings() {
        return AuthorizationServerSettings.builder().build();
    }

    @Bean
    JwtDecoder decoder(JWKSource<SecurityContext> keys) {
        return OAuth2AuthorizationServerConfiguration.jwtDecoder(keys);
    }

    @Bean
    JWKSource<SecurityContext> keys() {
        return new ImmutableJWKSet<>(new JWKSet(KEY));
    }

    private static RSAKey generateKey() {
        try {
            var pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
            return new RSAKey.Builder((RSAPublicKey) pair.getPublic())
                    .privateKey((RSAPrivateKey) pair.getPrivate())
                    .keyID(UUID.randomUUID().toString())
                    .build();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
