package dev.ttlstore.sample;

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
 * The headers of all answers. They are set before anything else is done, so that an answer of Spring Security's firewall, of an
 * error page or of the actuator has them too. Static files are the one thing that may be kept, and say so themselves.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class AnswerHeaders extends OncePerRequestFilter {

    /** Nothing from anywhere else, nothing inline, and no page around ours. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        set(response, request.isSecure());
        chain.doFilter(request, response);
    }

    /** Where the server has refused a request by itself, the way to the error page is the first that comes by here. */
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
