package org.example.visits;

import org.example.FastPasswords;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.session.ReactiveSessionRegistry;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.SessionLimit;
import org.springframework.session.security.SpringSessionBackedReactiveSessionRegistry;

import dev.ttlstore.spring.session.StoreReactiveSessionRepository;

/** Users log in, on one device at a time. Without Boot's security, which the other applications of the tests would have as well. */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class SecurityConfig {

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
        return http.authorizeExchange(exchanges -> exchanges
                        .pathMatchers("/actuator/**")
                        .permitAll()
                        .anyExchange()
                        .authenticated())
                .formLogin(Customizer.withDefaults())
                .sessionManagement(
                        sessions -> sessions.concurrentSessions(logins -> logins.maximumSessions(SessionLimit.of(1))))
                .build();
    }

    @Bean
    ReactiveSessionRegistry logins(StoreReactiveSessionRepository sessions) {
        return new SpringSessionBackedReactiveSessionRegistry<>(sessions, sessions);
    }

    @Bean
    PasswordEncoder passwords() {
        return FastPasswords.ENCODER;
    }

    @Bean
    MapReactiveUserDetailsService users() {
        return new MapReactiveUserDetailsService(User.withUsername("ann")
                .password(FastPasswords.encode("secret"))
                .roles("USER")
                .build());
    }
}
