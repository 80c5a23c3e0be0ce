package org.example.login;

import java.security.Principal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.example.FastPasswords;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.ott.OneTimeTokenGenerationSuccessHandler;
import org.springframework.security.web.authentication.rememberme.PersistentTokenRepository;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.springframework.security.config.Customizer.withDefaults;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableWebSecurity
@RestController
public class LoginApplication {

    /** Stands for the mails: the last token of each user. */
    private final Map<String, String> mails = new ConcurrentHashMap<>();

    public static void main(String[] arguments) {
        SpringApplication.run(LoginApplication.class, arguments);
    }

    @Bean
    SecurityFilterChain security(
            HttpSecurity http, PersistentTokenRepository logins, OneTimeTokenGenerationSuccessHandler mails) {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .formLogin(withDefaults())
                .rememberMe(rememberMe -> rememberMe.tokenRepository(logins))
                .oneTimeTokenLogin(login -> login.tokenGenerationSuccessHandler(mails))
                .build();
    }

    @Bean
    OneTimeTokenGenerationSuccessHandler mails() {
        return (request, response, token) -> {
            mails.put(token.getUsername(), token.getTokenValue());
            response.setStatus(204);
        };
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

    @GetMapping("/me")
    String me(Principal user) {
        return user.getName();
    }

    public String mailTo(String user) {
        return mails.getOrDefault(user, "");
    }
}
