package dev.ttlstore.sample.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Refuses request bodies that are too large, before anything reads them. A body of unknown length is read up to the
 * limit, and passed on from memory.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class BodyLimit extends OncePerRequestFilter {

    private final DataSize limit;

    BodyLimit(SecretsProperties properties) {
        this.limit = properties.bodyLimit();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getContentLengthLong() > limit.toBytes()) {
            response.sendError(HttpStatus.CONTENT_TOO_LARGE.value());
        } else if (request.getHeader(HttpHeaders.TRANSFER_ENCODING) == null) {
            chain.doFilter(request, response);
        } else {
            byte[] body = request.getInputStream().readNBytes(Math.toIntExact(limit.toBytes()) + 1);
            if (body.length > limit.toBytes()) {
                response.sendError(HttpStatus.CONTENT_TOO_LARGE.value());
            } else {
                chain.doFilter(new InMemory(request, body), response);
            }
        }
    }

    private static final class InMemory extends HttpServletRequestWrapper {

        private final byte[] body;

        InMemory(HttpServletRequest request, byte[] body) {
            super(request);
            this.body = body;
        }

        @Override
        public ServletInputStream getInputStream() {
            return new InMemoryStream(new ByteArrayInputStream(body));
        }
    }

    private static final class InMemoryStream extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        InMemoryStream(ByteArrayInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException("Reading a body asynchronously is not supported");
        }
    }
}
