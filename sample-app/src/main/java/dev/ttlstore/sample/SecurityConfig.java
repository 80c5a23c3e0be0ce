package dev.ttlstore.sample;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.SimpleUrlAuthenticationFailureHandler;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationEntryPoint;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.savedrequest.NullRequestCache;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Who may do what. The key of a secret is all that its receiver needs, and its sender is known by a {@link Sender} cookie; only
 * the operator logs in, as {@code spring.security.user.*} says. The headers of all answers are in {@link AnswerHeaders}, which
 * reaches those as well that never come this far.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfig {

    /** Plain HTTP clients: no cookie is sent or read, so there is nothing that another site could ride on. */
    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http) {
        return http.securityMatcher("/api/**")
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .headers(AbstractHttpConfigurer::disable)
                .requestCache(cache -> cache.requestCache(new NullRequestCache()))
                .logout(AbstractHttpConfigurer::disable)
                .build();
    }

    /** Monitoring: the state is for everyone, all else for the operator, by the login's session or by HTTP basic. */
    @Bean
    @Order(2)
    SecurityFilterChain actuator(HttpSecurity http, LoginLimit limit) {
        BasicAuthenticationEntryPoint challenge = new BasicAuthenticationEntryPoint();
        challenge.setRealmName("secrets");
        return http.securityMatcher("/actuator/**")
                .authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health/**")
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .httpBasic(basic -> basic.authenticationEntryPoint(challenge))
                .addFilterBefore(limit::filter, BasicAuthenticationFilter.class)
                .exceptionHandling(errors -> errors.authenticationEntryPoint(challenge))
                .csrf(csrf -> csrf.csrfTokenRepository(tokens()).ignoringRequestMatchers(SecurityConfig::isOfNoBrowser))
                .headers(AbstractHttpConfigurer::disable)
                .requestCache(cache -> cache.requestCache(new NullRequestCache()))
                .logout(AbstractHttpConfigurer::disable)
                .build();
    }

    /** The pages: {@code /admin} takes the login, and every POST the token of the page that it comes from. */
    @Bean
    @Order(3)
    SecurityFilterChain pages(HttpSecurity http, LoginLimit limit) {
        SimpleUrlAuthenticationFailureHandler failure = new SimpleUrlAuthenticationFailureHandler("/login?error");
        // A session is made for who has logged in, and for no one else.
        failure.setAllowSessionCreation(false);
        return http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                                DispatcherType.ASYNC, DispatcherType.ERROR, DispatcherType.FORWARD)
                        .permitAll()
                        .requestMatchers("/admin", "/admin/**")
                        .authenticated()
                        .anyRequest()
                        .permitAll())
                .formLogin(login ->
                        login.loginPage("/login").defaultSuccessUrl("/admin").failureHandler(failure))
                .addFilterBefore(limit::filter, UsernamePasswordAuthenticationFilter.class)
                .logout(logout -> logout.logoutRequestMatcher(
                                PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.POST, "/logout"))
                        .logoutSuccessUrl("/login?out"))
                .csrf(csrf -> csrf.csrfTokenRepository(tokens()))
                .headers(AbstractHttpConfigurer::disable)
                .requestCache(cache -> cache.requestCache(new NullRequestCache()))
                .build();
    }

    /** A percent sign in an address is no attack on anything here, and a team that is called so is told that it cannot be. */
    @Bean
    HttpFirewall firewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setAllowUrlEncodedPercent(true);
        return firewall;
    }

    /**
     * Whether a request is of a program with a password of its own. A browser that has been told one sends it along for other
     * sites, too; but it tells of each POST where it comes from.
     */
    private static boolean isOfNoBrowser(HttpServletRequest request) {
        return request.getHeader(HttpHeaders.AUTHORIZATION) != null
                && request.getHeader(HttpHeaders.ORIGIN) == null
                && request.getHeader(HttpHeaders.COOKIE) == null;
    }

    /**
     * In a cookie, so that no session is made for everyone who opens a page, and a page that is left open outlives a restart.
     * Scripts do not read it: each page has its token, masked anew, in a {@code meta} element.
     */
    private static CookieCsrfTokenRepository tokens() {
        CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
        tokens.setCookieCustomizer(
                cookie -> cookie.httpOnly(true).sameSite("Strict").path("/"));
        return tokens;
    }
}
