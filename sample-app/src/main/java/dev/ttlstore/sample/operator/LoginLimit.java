package dev.ttlstore.sample.operator;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.event.AbstractAuthenticationFailureEvent;
import org.springframework.security.authentication.event.AuthenticationSuccessEvent;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.stereotype.Service;
import org.springframework.util.StringUtils;

import dev.ttlstore.Store;
import dev.ttlstore.sample.web.Attempts;
import dev.ttlstore.sample.web.Clients;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Refusal;
import dev.ttlstore.sample.web.SecretsProperties;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Limits failed logins of each client, by the form or by HTTP basic. Each attempt counts until it succeeds, so that
 * concurrent attempts are limited too.
 */
@Service
class LoginLimit {

    private static final Logger log = LoggerFactory.getLogger(LoginLimit.class);

    private final Attempts attempts;
    private final Clients clients;

    LoginLimit(Store store, Clients clients, SecretsProperties properties, Now now) {
        this.attempts =
                new Attempts(store.counters("login-attempts"), properties.loginLimit(), Duration.ofMinutes(1), now);
        this.clients = clients;
    }

    /** Filters requests before their credentials are checked. */
    void filter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<Duration> wait = hasCredentials((HttpServletRequest) request)
                ? attempts.count(clients.at(request.getRemoteAddr()))
                : Optional.empty();
        if (wait.isEmpty()) {
            chain.doFilter(request, response);
        } else {
            HttpServletResponse refusal = (HttpServletResponse) response;
            refusal.setHeader(HttpHeaders.RETRY_AFTER, Refusal.seconds(wait.get()));
            refusal.sendError(HttpStatus.TOO_MANY_REQUESTS.value());
        }
    }

    /** Logs the address only: people sometimes type a password in the field for the name. */
    @EventListener
    void failed(AbstractAuthenticationFailureEvent login) {
        if (login.getAuthentication().getDetails() instanceof WebAuthenticationDetails details) {
            log.warn("A login from {} has failed", details.getRemoteAddress());
        }
    }

    @EventListener
    void succeeded(AuthenticationSuccessEvent login) {
        if (login.getAuthentication().getDetails() instanceof WebAuthenticationDetails details) {
            attempts.uncount(clients.at(details.getRemoteAddress()));
        }
    }

    private static boolean hasCredentials(HttpServletRequest request) {
        // An error dispatch has the same credentials again.
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        return request.getDispatcherType() == DispatcherType.REQUEST
                && SecurityContextHolder.getContext().getAuthentication() == null // otherwise a session is in use
                && (StringUtils.startsWithIgnoreCase(authorization, "Basic")
                        || (request.getMethod().equals("POST")
                                && request.getServletPath().equals("/login")));
    }
}
