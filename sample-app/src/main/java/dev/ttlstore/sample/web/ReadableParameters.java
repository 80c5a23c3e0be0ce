package dev.ttlstore.sample.web;

import java.io.IOException;

import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Refuses parameters that cannot be decoded. Otherwise the first reader of a parameter fails and logs it. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2) // after the limit on bodies
class ReadableParameters extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (areReadable(request)) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpStatus.BAD_REQUEST.value());
        }
    }

    private static boolean areReadable(HttpServletRequest request) {
        try {
            return request.getParameterNames() != null;
        } catch (InvalidParameterException e) { // its message adds only what was sent
            return false;
        }
    }
}
