package dev.ttlstore.sample.web;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.ContentNegotiationStrategy;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

import static org.springframework.util.StringUtils.startsWithIgnoreCase;

/**
 * Makes everything except pages and their forms answer in JSON, whatever the client accepts. If the server found out only afterwards
 * that the answer is not acceptable, it would use up a secret that nobody gets to see.
 */
@Configuration(proxyBeanMethods = false)
class JsonOnly implements WebMvcConfigurer {

    private final ContentNegotiationStrategy header = new HeaderContentNegotiationStrategy();

    @Override
    public void configureContentNegotiation(ContentNegotiationConfigurer configurer) {
        configurer.strategies(List.of(this::accepted));
    }

    private List<MediaType> accepted(NativeWebRequest request) throws HttpMediaTypeNotAcceptableException {
        HttpServletRequest http = request.getNativeRequest(HttpServletRequest.class);
        String path = http == null ? "" : path(http);
        return path.startsWith("/api/") || (path.startsWith("/page/") && !isForm(http) && !isGet(http))
                ? List.of(MediaType.APPLICATION_JSON)
                : header.resolveMediaTypes(request);
    }

    /** Someone who opens the address of a form gets a page. Nothing is used up by that. */
    private static boolean isGet(@Nullable HttpServletRequest request) {
        if (request == null) {
            return false;
        }
        // An error dispatch of any request is a GET.
        String method = request.getAttribute(RequestDispatcher.ERROR_METHOD) instanceof String asked
                ? asked
                : request.getMethod();
        return HttpMethod.GET.matches(method);
    }

    private static boolean isForm(@Nullable HttpServletRequest request) {
        return request != null
                && startsWithIgnoreCase(request.getContentType(), MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    /** Returns the requested path, also during an error dispatch. */
    static String path(HttpServletRequest request) {
        return request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String asked
                ? asked
                : request.getRequestURI();
    }
}
