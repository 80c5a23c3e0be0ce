package dev.ttlstore.sample.web;

import java.io.IOException;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Sets the headers of all responses. It runs before everything else, so that responses of Spring Security's firewall,
 * of error pages and of the actuator have them too. Only static files may be cached; they override the header.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class AnswerHeaders extends OncePerRequestFilter {

    /** Nothing from other hosts, nothing inline, and no embedding in other pages. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        set(response, request.isSecure());
        chain.doFilter(request, response);
    }

    /**
     * Filters error dispatches too: if the server refuses a request itself, the error page is the first to pass here.
     */
    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    static void set(HttpServletResponse response, boolean secure) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        if (secure) {
            response.setHeader("Strict-Transport-Security", "max-age=31536000");
        }
    }
}
