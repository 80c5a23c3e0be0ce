package org.example.sso;

import java.security.Principal;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.session.autoconfigure.DefaultCookieSerializerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.oauth2.client.OidcBackChannelLogoutHandler;
import org.springframework.security.oauth2.client.oidc.session.OidcSessionRegistry;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.springframework.security.config.Customizer.withDefaults;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableWebSecurity
@RestController
public class SsoApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(SsoApplication.class, arguments);
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .oauth2Login(withDefaults())
                .oidcLogout(logout -> logout.backChannel(withDefaults()))
                .build();
    }

    @Bean
    OidcBackChannelLogoutHandler backChannelLogouts(OidcSessionRegistry logins) {
        OidcBackChannelLogoutHandler handler = new OidcBackChannelLogoutHandler(logins);
        handler.setSessionCookieName("SESSION");
        return handler;
    }

    @Bean
    DefaultCookieSerializerCustomizer plainIds() {
        return cookie -> cookie.setUseBase64Encoding(false);
    }

    /** As Boot makes it of properties; given by the test, which has the provider. */
    @Bean
    ClientRegistrationRepository registrations(ClientRegistration provider) {
        return new InMemoryClientRegistrationRepository(provider);
    }

    @GetMapping("/me")
    String me(Principal user) {
        return user.getName();
    }
}
