package dev.ttlstore.sample;

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

/** Refuses parameters that cannot be decoded, which whoever asked for one would else fail at, and log. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2) // behind the limit of what may be read
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
        } catch (InvalidParameterException e) { // says nothing that its name does not, but for what was sent
            return false;
        }
    }
}
