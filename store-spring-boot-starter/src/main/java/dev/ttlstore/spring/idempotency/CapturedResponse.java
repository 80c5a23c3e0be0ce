package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.util.ContentCachingResponseWrapper;

import dev.ttlstore.spring.idempotency.Exchange.Answer;

import jakarta.servlet.http.HttpServletResponse;

/** A response that is held back until it is stored. */
final class CapturedResponse extends ContentCachingResponseWrapper {

    /** What belongs to one connection or one client, and not to the answer. */
    private static final Set<String> NOT_REPEATED = names(
            HttpHeaders.SET_COOKIE,
            HttpHeaders.CONNECTION,
            HttpHeaders.CONTENT_LENGTH,
            HttpHeaders.DATE,
            HttpHeaders.TRANSFER_ENCODING);

    /** Headers that were there before the handler: a repeated answer has its own. */
    private final Set<String> before;

    private boolean isError;
    private @Nullable String errorMessage;

    CapturedResponse(HttpServletResponse response) {
        super(response);
        this.before = names(response.getHeaderNames().toArray(String[]::new));
    }

    private static Set<String> names(String... names) {
        Set<String> ignoringCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        ignoringCase.addAll(List.of(names));
        return ignoringCase;
    }

    /** Notes the error; it is sent when it is stored. */
    @Override
    public void sendError(int status) {
        sendError(status, null);
    }

    @Override
    public void sendError(int status, @Nullable String message) {
        isError = true;
        errorMessage = message;
        setStatus(status);
    }

    /** Redirects when it is stored. */
    @Override
    public void sendRedirect(String location) {
        setStatus(SC_FOUND);
        setHeader(HttpHeaders.LOCATION, location);
    }

    /** Returns the answer, as it is to be repeated. */
    Answer answer() {
        List<String> headers = new ArrayList<>();
        if (getContentType() != null) {
            headers.add(HttpHeaders.CONTENT_TYPE);
            headers.add(getContentType());
        }
        for (String name : getHeaderNames()) {
            if (!before.contains(name)
                    && !NOT_REPEATED.contains(name)
                    && !name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
                for (String value : getHeaders(name)) {
                    headers.add(name);
                    headers.add(value);
                }
            }
        }
        return new Answer(getStatus(), isError, headers, getContentAsByteArray());
    }

    /** Sends what was held back. */
    void send() throws IOException {
        if (isError) {
            String message = errorMessage;
            HttpServletResponse response = (HttpServletResponse) getResponse();
            if (message == null) {
                response.sendError(getStatus());
            } else {
                response.sendError(getStatus(), message);
            }
        } else {
            copyBodyToResponse();
        }
    }
}
