package dev.ttlstore.spring.idempotency;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import dev.ttlstore.spring.idempotency.Exchange.Answer;
import dev.ttlstore.spring.idempotency.Exchange.Ending;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/**
 * A response that is held back until it is stored, and behaves like the container's: it counts as committed when that would be. An answer
 * that is larger than what is kept, or a stream, is passed on as it comes.
 */
final class HeldResponse extends HttpServletResponseWrapper {

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
            // of a client: whoever gets the answer again may be another one
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

    /** What is sent piece by piece, so that its client must not wait for the end. */
    private static final Set<String> STREAMS =
            Set.of("text/event-stream", "application/x-ndjson", "application/stream+json", "application/jsonl");

    /** Headers that were there before the handler: a repeated answer has its own. */
    private final Map<String, List<String>> before = new HashMap<>();

    private final HttpServletResponse original;
    private final ServletResponse hidden;
    private final long limit;
    private final Output output = new Output();
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean isOutputUsed;
    private final Text text = new Text();
    private final PrintWriter writer = new PrintWriter(text);

    /** In which the writer writes, once it was asked for: no change of the headers changes it. */
    private @Nullable String encoding;

    /** Whether nothing can be changed any more, for the application. */
    private boolean isCommitted;

    /** Whether nothing more is written. */
    private boolean isEnded;

    private boolean isPassedOn;
    private Ending ending = Ending.BODY;
    private @Nullable String endedWith;

    /**
     * Holds a response back.
     *
     * @param response the response
     * @param limit the largest body that is held back, in bytes
     */
    HeldResponse(HttpServletResponse response, long limit) {
        super(response);
        this.limit = limit;
        original = response;
        hidden = hide(response);
        response.getHeaderNames()
                .forEach(name -> before.put(name.toLowerCase(Locale.ROOT), List.copyOf(response.getHeaders(name))));
    }

    private static Set<String> names(String... names) {
        Set<String> ignoringCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        ignoringCase.addAll(List.of(names));
        return ignoringCase;
    }

    private HttpServletResponse response() {
        return (HttpServletResponse) super.getResponse();
    }

    /**
     * Returns the response without its class: after a forward, Tomcat looks below the wrappers for its own response, and would send nothing
     * of what is held back.
     */
    @Override
    public ServletResponse getResponse() {
        ServletResponse inner = super.getResponse();
        return inner == original ? hidden : inner;
    }

    private static ServletResponse hide(HttpServletResponse response) {
        return (ServletResponse) Proxy.newProxyInstance(
                HeldResponse.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(response, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    /** Returns the answer, as it is to be repeated: without its body if that was passed on. */
    Answer answer() throws IOException {
        empty();
        List<String> headers = new ArrayList<>();
        if (getContentType() != null) {
            headers.add(HttpHeaders.CONTENT_TYPE);
            headers.add(getContentType());
        }
        for (String name :
                names(getHeaderNames().toArray(String[]::new))) { // some containers name a header for each value
            List<String> values = List.copyOf(getHeaders(name));
            if (isKept(name) && !values.equals(before.get(name.toLowerCase(Locale.ROOT)))) {
                for (String value : values) {
                    headers.add(name);
                    headers.add(value);
                }
            }
        }
        return new Answer(getStatus(), ending, endedWith, headers, isPassedOn ? null : held.toByteArray());
    }

    private static boolean isKept(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !NOT_KEPT.contains(name)
                && !lower.equals("content-type")
                && NOT_KEPT_BEGINNINGS.stream().noneMatch(lower::startsWith);
    }

    /** Sends what was held back. */
    void send() throws IOException {
        empty();
        if (isPassedOn) {
            return;
        }
        isEnded = true;
        if (!ending.end(response(), getStatus(), endedWith) && held.size() > 0) {
            held.writeTo(response().getOutputStream());
        }
    }

    /** Sends what the container would have sent before the handler failed: nothing, unless it was committed. */
    void fail() throws IOException {
        empty();
        if (isCommitted()) {
            send();
        }
    }

    /** Takes what the writer still has, which does not count as a flush. */
    private void empty() throws IOException {
        if (!isEnded) {
            boolean committed = isCommitted;
            output.isOwn = true;
            try {
                text.flush();
            } finally {
                output.isOwn = false;
                isCommitted = committed;
            }
        }
    }

    private void passOn() throws IOException {
        isPassedOn = true;
        held.writeTo(response().getOutputStream());
        held.reset();
    }

    @Override
    public boolean isCommitted() {
        return isCommitted || isPassedOn || held.size() > getBufferSize() || super.isCommitted();
    }

    private void flushed() throws IOException {
        isCommitted = true;
        String type = getContentType();
        if (!isPassedOn
                && type != null
                && STREAMS.contains(type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT))) {
            passOn();
        }
        if (isPassedOn) {
            response().flushBuffer();
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        if (!isEnded) {
            empty();
            flushed();
        }
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (encoding != null) {
            throw new IllegalStateException("getWriter() has been called for this response");
        }
        isOutputUsed = true;
        return output;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (encoding == null) {
            if (isOutputUsed) {
                throw new IllegalStateException("getOutputStream() has been called for this response");
            }
            setCharacterEncoding(getCharacterEncoding()); // which the header names from now on
            String named = getCharacterEncoding();
            text.encodeIn(named);
            encoding = named;
        }
        return writer;
    }

    @Override
    public void reset() {
        requireUncommitted();
        super.reset();
        discard();
        encoding = null;
        text.encoder = null;
        isOutputUsed = false;
    }

    @Override
    public void resetBuffer() {
        requireUncommitted();
        discard();
    }

    private void discard() {
        try {
            empty();
            if (encoding != null) {
                text.encodeIn(encoding); // which begins some encodings with a mark again
            }
        } catch (IOException e) {
            throw new IllegalStateException("Writing to memory does not fail", e);
        }
        held.reset();
    }

    private void requireUncommitted() {
        if (isCommitted()) {
            throw new IllegalStateException("The response is committed already");
        }
    }

    @Override
    public void setBufferSize(int size) {
        if (isOutputUsed || encoding != null) {
            requireUncommitted();
        }
        super.setBufferSize(size);
    }

    @Override
    public void sendError(int status) {
        sendError(status, null);
    }

    /** Notes the error; it is sent when it is stored. */
    @Override
    public void sendError(int status, @Nullable String message) {
        end(Ending.ERROR, status, message);
    }

    @Override
    public void sendRedirect(String location) {
        sendRedirect(location, SC_FOUND, true);
    }

    @Override
    public void sendRedirect(String location, int status) {
        sendRedirect(location, status, true);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    /** Redirects when it is stored. */
    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        end(Ending.REDIRECT, status, location);
    }

    private void end(Ending how, int status, @Nullable String with) {
        requireUncommitted();
        discard();
        super.setStatus(status);
        ending = how;
        endedWith = with;
        isCommitted = true;
        isEnded = true;
    }

    // The container ignores all of these when a response is committed.

    @Override
    public void setStatus(int status) {
        if (!isCommitted()) {
            super.setStatus(status);
        }
    }

    @Override
    public void addCookie(Cookie cookie) {
        if (!isCommitted()) {
            super.addCookie(cookie);
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
            setContentType(value);
        } else if (!isCommitted()) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
            setContentType(value);
        } else if (!isCommitted()) {
            super.addHeader(name, value);
        }
    }

    @Override
    public void setDateHeader(String name, long date) {
        if (!isCommitted()) {
            super.setDateHeader(name, date);
        }
    }

    @Override
    public void addDateHeader(String name, long date) {
        if (!isCommitted()) {
            super.addDateHeader(name, date);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        if (!isCommitted()) {
            super.setIntHeader(name, value);
        }
    }

    @Override
    public void addIntHeader(String name, int value) {
        if (!isCommitted()) {
            super.addIntHeader(name, value);
        }
    }

    @Override
    public void setContentType(@Nullable String type) {
        if (!isCommitted()) {
            super.setContentType(type);
            if (type != null && encoding != null) {
                super.setCharacterEncoding(encoding);
            }
        }
    }

    /** The container also ignores this once there is a writer. */
    @Override
    public void setCharacterEncoding(@Nullable String name) {
        if (encoding == null && !isCommitted()) {
            super.setCharacterEncoding(name);
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset charset) {
        setCharacterEncoding(charset == null ? null : charset.name());
    }

    @Override
    public void setContentLength(int length) {
        if (!isCommitted()) {
            super.setContentLength(length);
        }
    }

    @Override
    public void setContentLengthLong(long length) {
        if (!isCommitted()) {
            super.setContentLengthLong(length);
        }
    }

    @Override
    public void setLocale(Locale locale) {
        if (!isCommitted()) {
            super.setLocale(locale);
        }
    }

    /** Encodes what the writer gets. A writer from before a reset goes on, as the container's does: Spring MVC keeps the one it has. */
    private final class Text extends Writer {

        /** Null until something is to be encoded, also after a reset. */
        private @Nullable OutputStreamWriter encoder;

        private OutputStreamWriter encodeIn(String name) throws IOException {
            OutputStreamWriter created = new OutputStreamWriter(output, name);
            encoder = created;
            return created;
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            OutputStreamWriter used = encoder;
            (used == null ? encodeIn(getCharacterEncoding()) : used).write(text, from, length);
        }

        @Override
        public void flush() throws IOException {
            OutputStreamWriter used = encoder;
            if (used != null) {
                used.flush();
            }
        }

        @Override
        public void close() throws IOException {
            flush();
            output.close();
        }
    }

    /** Keeps what is written, or passes it on. */
    private final class Output extends ServletOutputStream {

        /** Whether it is flushed to take what a writer has. */
        private boolean isOwn;

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (isEnded) {
                return;
            }
            if (!isPassedOn && held.size() + (long) length > limit) {
                passOn();
            }
            if (isPassedOn) {
                response().getOutputStream().write(bytes, from, length);
            } else {
                held.write(bytes, from, length);
            }
        }

        @Override
        public void flush() throws IOException {
            if (!isOwn && !isEnded) {
                flushed();
            }
        }

        /** Ends the answer, but not the handler, so that it is not sent yet. */
        @Override
        public void close() throws IOException {
            flush();
            isEnded = true;
        }

        @Override
        public boolean isReady() {
            try {
                return !isPassedOn || response().getOutputStream().isReady();
            } catch (IOException e) {
                return false;
            }
        }

        /** Non-blocking writes depend on the room in the connection, so they go straight to it. */
        @Override
        public void setWriteListener(WriteListener listener) {
            try {
                passOn();
                response().getOutputStream().setWriteListener(listener);
            } catch (IOException e) {
                listener.onError(e);
            }
        }
    }
}
