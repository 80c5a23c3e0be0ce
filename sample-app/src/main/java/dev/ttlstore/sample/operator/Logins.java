package dev.ttlstore.sample.operator;

import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.DefaultRedirectStrategy;
import org.springframework.security.web.RedirectStrategy;
import org.springframework.security.web.WebAttributes;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.web.util.UriComponentsBuilder;

import dev.ttlstore.sample.web.ExpiredForms;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Leads to the login page, and from there back to the page that needed the login. The address of the login page names
 * that page, because only a login creates a session that could.
 */
final class Logins {

    /** The role of the operator. Senders have none. */
    static final String OPERATOR = "OPERATOR";

    static final String NEXT = "next";

    private static final String PAGE = "/login";

    /** A path of this site. Two slashes begin the name of another, and browsers read a backslash as a slash. */
    private static final Pattern OWN = Pattern.compile("/(?!/)[!-~&&[^\\\\]]*");

    private static final RedirectStrategy redirect = new DefaultRedirectStrategy();

    private Logins() {}

    /** Asks someone to log in. A form cannot be sent again afterwards, so its login leads to the start. */
    static void ask(HttpServletRequest request, HttpServletResponse response, AuthenticationException e)
            throws IOException {
        String query = request.getQueryString();
        String path = request.getServletPath() + (query == null ? "" : "?" + query);
        send(request, response, HttpMethod.GET.matches(request.getMethod()) ? Optional.of(path) : Optional.empty());
    }

    /** Refuses what only others may do, and forms whose token has expired. The error page says why. */
    static void denied(HttpServletRequest request, HttpServletResponse response, AccessDeniedException e)
            throws IOException, ServletException {
        if (e instanceof CsrfException && ExpiredForms.answer(request, response)) {
            return;
        }
        request.setAttribute(WebAttributes.ACCESS_DENIED_403, e);
        response.sendError(HttpStatus.FORBIDDEN.value());
    }

    static void failed(HttpServletRequest request, HttpServletResponse response, AuthenticationException e)
            throws IOException {
        send(request, response, next(request), "error");
    }

    private static void send(
            HttpServletRequest request, HttpServletResponse response, Optional<String> next, String... flags)
            throws IOException {
        UriComponentsBuilder page = UriComponentsBuilder.fromPath(PAGE);
        for (String flag : flags) {
            page.queryParam(flag);
        }
        next.ifPresent(path -> page.queryParam(NEXT, "{next}"));
        redirect.sendRedirect(
                request,
                response,
                page.encode().buildAndExpand(next.stream().toArray()).toUriString());
    }

    static void succeeded(HttpServletRequest request, HttpServletResponse response, Authentication login)
            throws IOException {
        redirect.sendRedirect(request, response, next(request).orElse(isOperator(login) ? "/admin" : "/"));
    }

    /** Returns the page to which the login leads back, if it is one of this site. */
    static Optional<String> next(HttpServletRequest request) {
        return Optional.ofNullable(request.getParameter(NEXT))
                .filter(path -> OWN.matcher(path).matches());
    }

    private static boolean isOperator(Authentication login) {
        return login.getAuthorities().stream()
                .anyMatch(authority -> ("ROLE_" + OPERATOR).equals(authority.getAuthority()));
    }
}
