package dev.ttlstore.spring.idempotency;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.ttlstore.spring.idempotency.TrackedContext.Completion;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;

/**
 * A request with a key. The application gets it as it came: nothing is read before, and what the application reads is noted. It also
 * notices when an asynchronous answer is complete.
 */
final class TrackedRequest extends HttpServletRequestWrapper {

    /** How much is read of what the application has left, as a parser leaves the end of a line. */
    private static final int LEFT = 65_536;

    private final HttpServletResponse response;
    private final Completion completion;
    private @Nullable Input input;
    private @Nullable BufferedReader reader;
    private @Nullable Body parameters;
    private @Nullable Body parts;

    TrackedRequest(HttpServletRequest request, HttpServletResponse response, Completion completion) {
        super(request);
        this.response = response;
        this.completion = completion;
    }

    /** Returns what the application has got of the body, once it has ended; null if nobody knows. */
    @Nullable
    Body body() {
        Input read = input;
        if (read == null && parts != null) {
            return parts;
        }
        if (read == null && parameters != null) {
            return parameters;
        }
        try {
            if (read == null) {
                if (getHeader(HttpHeaders.EXPECT) != null) {
                    return null; // the client sends a body only if somebody wants to read it
                }
                read = open();
            }
            read.readLeft();
        } catch (IOException | IllegalStateException e) {
            if (read == null) {
                return null; // somebody else reads it
            }
        }
        return new Body(Body.Form.BYTES, read.hash.hex(), read.length, read.ended);
    }

    private Input open() throws IOException {
        Input opened = input;
        if (opened == null) {
            opened = new Input(super.getInputStream());
            input = opened;
        }
        return opened;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (reader != null) {
            throw new IllegalStateException("getReader() has been called for this request");
        }
        return open();
    }

    @Override
    public BufferedReader getReader() throws IOException {
        BufferedReader opened = reader;
        if (opened == null) {
            if (input != null) {
                throw new IllegalStateException("getInputStream() has been called for this request");
            }
            opened = new BufferedReader(new InputStreamReader(open(), charset()));
            reader = opened;
        }
        return opened;
    }

    private Charset charset() throws UnsupportedEncodingException {
        String encoding = getCharacterEncoding();
        try {
            return encoding == null ? StandardCharsets.ISO_8859_1 : Charset.forName(encoding);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedEncodingException(encoding);
        }
    }

    @Override
    public @Nullable String getParameter(String name) {
        String value = super.getParameter(name);
        noteParameters();
        return value;
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        Map<String, String[]> all = super.getParameterMap();
        noteParameters();
        return all;
    }

    @Override
    public Enumeration<String> getParameterNames() {
        Enumeration<String> names = super.getParameterNames();
        noteParameters();
        return names;
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        String[] values = super.getParameterValues(name);
        noteParameters();
        return values;
    }

    private void noteParameters() {
        if (parameters == null && input == null && Body.hasParameters(this)) {
            parameters = Body.ofParameters(super.getParameterMap());
        }
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        Collection<Part> all = super.getParts();
        if (parts == null) { // now, because the application may delete them
            parts = Body.ofParts(all, super.getParameterMap());
        }
        return all;
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        Part part = super.getPart(name);
        Collection<Part> unused = getParts();
        return part;
    }

    /** With this request and its response. The container knows neither. */
    @Override
    public AsyncContext startAsync() {
        return startAsync(this, response);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse answer) {
        return TrackedContext.start(super.startAsync(request, answer), completion);
    }

    @Override
    public AsyncContext getAsyncContext() {
        return new TrackedContext(super.getAsyncContext(), completion);
    }

    /** Notes what is read. */
    private static final class Input extends ServletInputStream {
        private final ServletInputStream from;
        private final Hasher hash = new Hasher();
        private long length;
        private boolean ended;
        private boolean isListenedTo;

        private Input(ServletInputStream from) {
            this.from = from;
        }

        /** Reads a little of what is left. */
        private void readLeft() throws IOException {
            byte[] buffer = new byte[8_192];
            for (int left = LEFT; left > 0 && !ended && !isListenedTo; ) {
                left -= Math.max(0, read(buffer, 0, Math.min(left, buffer.length)));
            }
            ended |= from.isFinished(); // a listener does not read the end
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int start, int count) throws IOException {
            int read = from.read(bytes, start, count);
            if (read > 0) {
                hash.update(bytes, start, read);
                length += read;
            }
            ended |= read < 0;
            return read;
        }

        @Override
        public int available() throws IOException {
            return from.available();
        }

        @Override
        public boolean isFinished() {
            return from.isFinished();
        }

        @Override
        public boolean isReady() {
            return from.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            isListenedTo = true;
            from.setReadListener(listener);
        }

        @Override
        public void close() throws IOException {
            from.close();
        }
    }
}
