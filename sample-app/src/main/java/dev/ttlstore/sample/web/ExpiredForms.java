package dev.ttlstore.sample.web;

import java.io.IOException;
import java.util.Set;

import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Gives back a form whose token is no longer valid, with a new token and everything that was typed. Reloading the page
 * would only send the old token again.
 */
public final class ExpiredForms {

    /** The end of the addresses that render a form again. They do nothing else. */
    public static final String AGAIN = "/again";

    public static final String PROBLEM =
            "This page was open for too long, or the browser keeps no cookies. Nothing was done. Try again.";

    private static final Set<String> PATHS = Set.of("/page/secrets", "/page/reveal");

    private ExpiredForms() {}

    /** Answers with the form, if the request is one that can be rendered again. Returns whether it was. */
    public static boolean answer(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String path = request.getServletPath();
        if (!PATHS.contains(path)
                || !StringUtils.startsWithIgnoreCase(
                        request.getContentType(), MediaType.APPLICATION_FORM_URLENCODED_VALUE)) {
            return false;
        }
        request.getRequestDispatcher(path + AGAIN).forward(request, response);
        return true;
    }
}
