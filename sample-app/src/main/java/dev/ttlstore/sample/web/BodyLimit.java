package dev.ttlstore.sample.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Reads request bodies into memory before anything else does, and refuses those that are too large, that take too long,
 * or that are too many at once. {@link UnreadBodies} ends the connections of those that are refused.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class BodyLimit extends OncePerRequestFilter {

    private static final int READ_AT_ONCE = 8_192;

    private final DataSize limit;
    private final Duration timeout;
    private final Uploads uploads;

    BodyLimit(SecretsProperties properties, Uploads uploads) {
        this.limit = properties.bodyLimit();
        this.timeout = properties.uploadTimeout();
        this.uploads = uploads;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getContentLengthLong() <= 0 && request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null) {
            chain.doFilter(request, response);
            return;
        }
        // From here on the server does not read the body for a parameter.
        InputStream body = request.getInputStream();
        if (request.getContentLengthLong() > limit.toBytes()) {
            response.sendError(HttpStatus.CONTENT_TOO_LARGE.value());
            return;
        }
        String client = Clients.network(request);
        if (!uploads.begin(client)) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "1");
            response.sendError(HttpStatus.SERVICE_UNAVAILABLE.value());
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HttpStatus status;
        try {
            status = read(body, bytes);
        } finally {
            uploads.end(client);
        }
        if (status == HttpStatus.OK) {
            chain.doFilter(new ReadBody(request, bytes.toByteArray()), response);
        } else {
            response.sendError(status.value());
        }
    }

    /** Returns why the body is refused, or {@link HttpStatus#OK}. */
    private HttpStatus read(InputStream body, ByteArrayOutputStream bytes) throws IOException {
        long start = System.nanoTime();
        byte[] buffer = new byte[READ_AT_ONCE];
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                return HttpStatus.REQUEST_TIMEOUT;
            }
            if (bytes.size() + count > limit.toBytes()) {
                return HttpStatus.CONTENT_TOO_LARGE;
            }
            bytes.write(buffer, 0, count);
        }
        return HttpStatus.OK;
    }
}
