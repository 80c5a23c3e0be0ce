package dev.ttlstore.sample;

import java.util.List;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.ContentNegotiationStrategy;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

/**
 * What is not a page answers in JSON, whatever a client says that it accepts. To find out only afterwards that an answer is not
 * acceptable would burn a secret that nobody gets to see.
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
        return path.startsWith("/api/") || path.startsWith("/page/")
                ? List.of(MediaType.APPLICATION_JSON)
                : header.resolveMediaTypes(request);
    }

    /** What was asked for, where the request is on its way to an error page. */
    private static String path(HttpServletRequest request) {
        return request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String asked
                ? asked
                : request.getRequestURI();
    }
}
