package org.example.fluxsso;

import java.security.Principal;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.InMemoryReactiveClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import reactor.core.publisher.Mono;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableWebFluxSecurity
@RestController
public class FluxSsoApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(FluxSsoApplication.class, arguments);
    }

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
        return http.authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                .oauth2Login(Customizer.withDefaults())
                .oidcLogout(logout -> logout.backChannel(Customizer.withDefaults()))
                .build();
    }

    /** As Boot makes it of properties; given by the test, which has the provider. */
    @Bean
    ReactiveClientRegistrationRepository registrations(ClientRegistration provider) {
        return new InMemoryReactiveClientRegistrationRepository(provider);
    }

    @GetMapping("/me")
    Mono<String> me(Principal user) {
        return Mono.just(user.getName());
    }
}
