package org.example.accounts;

import org.example.FastPasswords;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.session.security.SpringSessionBackedSessionRegistry;

import dev.ttlstore.spring.session.StoreSessionRepository;

/** Users log in, on one device at a time. Without Boot's security, which the other applications of the tests would have as well. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class SecurityConfig {

    @Bean
    SecurityFilterChain pages(HttpSecurity http, StoreSessionRepository sessions) {
        http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .formLogin(Customizer.withDefaults());
        http.sessionManagement(session ->
                session.maximumSessions(1).sessionRegistry(new SpringSessionBackedSessionRegistry<>(sessions)));
        return http.build();
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
}
