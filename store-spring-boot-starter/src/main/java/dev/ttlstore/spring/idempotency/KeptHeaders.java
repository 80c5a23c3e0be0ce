package dev.ttlstore.spring.idempotency;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.http.HttpHeaders;

import jakarta.servlet.http.HttpServletResponse;

/** Selects the headers that belong to an answer, and so to its repetitions. */
final class KeptHeaders {

    /** What belongs to one connection, one client or one request, and not to the answer. */
    private static final Set<String> NOT_KEPT = names(
            // of a connection or a message
            HttpHeaders.CONNECTION,
            "Keep-Alive",
            "Proxy-Connection",
            HttpHeaders.TE,
            HttpHeaders.TRAILER,
            HttpHeaders.TRANSFER_ENCODING,
            HttpHeaders.UPGRADE,
            HttpHeaders.CONTENT_LENGTH,
            HttpHeaders.DATE,
            HttpHeaders.AGE,
            HttpHeaders.VIA,
            HttpHeaders.SERVER,
            "Alt-Svc",
            // of a client: another one may get the answer again
            HttpHeaders.SET_COOKIE,
            HttpHeaders.SET_COOKIE2,
            HttpHeaders.WWW_AUTHENTICATE,
            HttpHeaders.PROXY_AUTHENTICATE,
            "Authentication-Info",
            "Proxy-Authentication-Info",
            "Clear-Site-Data",
            // of a request
            "Server-Timing",
            "traceparent",
            "tracestate",
            "traceresponse",
            "baggage",
            "b3",
            "X-Request-Id",
            "X-Correlation-Id",
            "X-Trace-Id");

    /** Beginnings of such names: who may read an answer, what a client may still ask for, and traces. */
    private static final List<String> NOT_KEPT_BEGINNINGS =
            List.of("access-control-", "ratelimit", "x-ratelimit-", "x-rate-limit-", "x-b3-");

    /** Headers that were there before the handler: a repeated answer has its own. */
    private final Map<String, List<String>> before = new HashMap<>();

    /**
     * Notes which headers a response has by now.
     *
     * @param response the response, before the handler
     */
    KeptHeaders(HttpServletResponse response) {
        response.getHeaderNames()
                .forEach(name -> before.put(name.toLowerCase(Locale.ROOT), List.copyOf(response.getHeaders(name))));
    }

    private static Set<String> names(String... names) {
        Set<String> ignoringCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        ignoringCase.addAll(List.of(names));
        return ignoringCase;
    }

    /**
     * Returns the headers to keep.
     *
     * @param response the response, after the handler
     * @return names and values by turns
     */
    List<String> of(ResponseHead response) {
        List<String> headers = new ArrayList<>();
        if (response.getContentType() != null) {
            headers.add(HttpHeaders.CONTENT_TYPE);
            headers.add(response.getContentType());
        }
        for (String name : names(
                response.getHeaderNames().toArray(String[]::new))) { // some containers name a header for each value
            List<String> values = List.copyOf(response.getHeaders(name));
            if (isKept(name) && !values.equals(before.get(name.toLowerCase(Locale.ROOT)))) {
                for (String value : values) {
                    headers.add(name);
                    headers.add(value);
                }
            }
        }
        String language = response.language();
        if (language != null && !headers.contains(HttpHeaders.CONTENT_LANGUAGE)) {
            headers.add(HttpHeaders.CONTENT_LANGUAGE);
            headers.add(language);
        }
        return headers;
    }

    private static boolean isKept(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !NOT_KEPT.contains(name)
                && !lower.equals("content-type")
                && NOT_KEPT_BEGINNINGS.stream().noneMatch(lower::startsWith);
    }
}
