package dev.ttlstore.sample.operator;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationEntryPoint;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.savedrequest.NullRequestCache;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

import dev.ttlstore.sample.secrets.Sender;
import dev.ttlstore.sample.web.AnswerHeaders;
import dev.ttlstore.sample.web.SecretsProperties;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Access rules. A receiver needs only the key of a secret, and a {@link Sender} cookie identifies a sender. The
 * operator logs in with {@code spring.security.user.*}, and senders can, with {@code secrets.senders}.
 * {@link AnswerHeaders} sets the headers of all responses, including those of requests that do not get this far.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfig {

    /**
     * The HTTP API. Senders may log in by HTTP basic, and have to for some teams. It neither sends nor reads cookies, and
     * takes JSON only, so other sites have nothing to exploit.
     */
    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http, LoginLimit limit, SecretsProperties properties) {
        RequestMatcher creation =
                PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.POST, "/api/teams/{team}/secrets");
        BasicAuthenticationEntryPoint challenge = challenge();
        return http.securityMatcher("/api/**")
                .authorizeHttpRequests(requests -> requests.requestMatchers(request -> properties
                                .loginTeams()
                                .contains(
                                        creation.matcher(request).getVariables().get("team")))
                        .authenticated()
                        .anyRequest()
                        .permitAll())
                .httpBasic(basic -> basic.authenticationEntryPoint(challenge))
                .addFilterBefore(limit::filter, BasicAuthenticationFilter.class)
                .exceptionHandling(errors -> errors.authenticationEntryPoint(challenge))
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .headers(AbstractHttpConfigurer::disable)
                .requestCache(cache -> cache.requestCache(new NullRequestCache()))
                .logout(AbstractHttpConfigurer::disable)
                .build();
    }

    /** Monitoring. Health is public. All else is for the operator, by the session of the login or by HTTP basic. */
    @Bean
    @Order(2)
    SecurityFilterChain actuator(HttpSecurity http, LoginLimit limit) {
        BasicAuthenticationEntryPoint challenge = challenge();
        return http.securityMatcher("/actuator/**")
                .authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health/**")
                        .permitAll()
                        .anyRequest()
                        .hasRole(Logins.OPERATOR))
                .httpBasic(basic -> basic.authenticationEntryPoint(challenge))
                .addFilterBefore(limit::filter, BasicAuthenticationFilter.class)
                .exceptionHandling(
                        errors -> errors.authenticationEntryPoint(challenge).accessDeniedHandler(Logins::denied))
                .csrf(csrf -> csrf.csrfTokenRepository(tokens()).ignoringRequestMatchers(SecurityConfig::isOfNoBrowser))
                .headers(AbstractHttpConfigurer::disable)
                .requestCache(cache -> cache.requestCache(new NullRequestCache()))
                .logout(AbstractHttpConfigurer::disable)
                .build();
    }

    /** The pages. {@code /admin} needs the operator's login, and every POST the token of its page. */
    @Bean
    @Order(3)
    SecurityFilterChain pages(HttpSecurity http, LoginLimit limit, SecretsProperties properties) {
        return http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                                DispatcherType.ASYNC, DispatcherType.ERROR, DispatcherType.FORWARD)
                        .permitAll()
                        .requestMatchers("/admin", "/admin/**")
                        .hasRole(Logins.OPERATOR)
                        .requestMatchers(request -> isForm(request, properties))
                        .authenticated()
                        .anyRequest()
                        .permitAll())
                .formLogin(login -> login.loginPage("/login")
                        .successHandler(Logins::succeeded)
                        .failureHandler(Logins::failed))
                .exceptionHandling(
                        errors -> errors.authenticationEntryPoint(Logins::ask).accessDeniedHandler(Logins::denied))
                .addFilterBefore(limit::filter, UsernamePasswordAuthenticationFilter.class)
                .logout(logout -> logout.logoutRequestMatcher(
                                PathPatternRequestMatcher.withDefaults().matcher(HttpMethod.POST, "/logout"))
                        .logoutSuccessUrl("/login?out"))
                .csrf(csrf -> csrf.csrfTokenRepository(tokens()))
                .headers(AbstractHttpConfigurer::disable)
                .requestCache(cache -> cache.requestCache(new NullRequestCache()))
                .build();
    }

    private static BasicAuthenticationEntryPoint challenge() {
        BasicAuthenticationEntryPoint challenge = new BasicAuthenticationEntryPoint();
        challenge.setRealmName("secrets");
        return challenge;
    }

    /** Returns whether a request is for the sender's page of a team whose senders log in. */
    private static boolean isForm(HttpServletRequest request, SecretsProperties properties) {
        String team = request.getParameter("team");
        return request.getServletPath().equals("/")
                && properties.loginTeams().contains(team == null ? properties.team() : team);
    }

    /** Permits a percent sign in an address. It harms nothing here, and an invalid team name gets its own message. */
    @Bean
    HttpFirewall firewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setAllowUrlEncodedPercent(true);
        return firewall;
    }

    /**
     * Returns whether a request comes from a program with its own password. A browser that knows the password also
     * sends it for other sites, but then names the origin of each POST.
     */
    private static boolean isOfNoBrowser(HttpServletRequest request) {
        return request.getHeader(HttpHeaders.AUTHORIZATION) != null
                && request.getHeader(HttpHeaders.ORIGIN) == null
                && request.getHeader(HttpHeaders.COOKIE) == null;
    }

    /**
     * Keeps tokens in a cookie, so that opening a page creates no session and an open page survives a restart.
     * Scripts cannot read the cookie: each page has its token, newly masked, in a {@code meta} element.
     */
    private static CookieCsrfTokenRepository tokens() {
        CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
        tokens.setCookieCustomizer(
                cookie -> cookie.httpOnly(true).sameSite("Strict").path("/"));
        return tokens;
    }
}
