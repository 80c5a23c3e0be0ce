package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.spring.idempotency.Exchange.Ending;
import dev.ttlstore.spring.idempotency.Exchange.RecordedResponse;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;

/**
 * A response that is held back until it is stored, and behaves like the container's: it counts as committed when that would be. An answer
 * that is larger than what is kept, or a stream, is passed on as it comes.
 */
final class HeldResponse extends ResponseHead {

    /** What is sent piece by piece, so that its client must not wait for the end. */
    private static final Set<String> STREAMS =
            Set.of("text/event-stream", "application/x-ndjson", "application/stream+json", "application/jsonl");

    private final KeptHeaders headers;
    private final HttpServletResponse original;
    private final ServletResponse hidden;
    private final HeldBody body;
    private boolean isBodyUsed;
    private final AnswerText text;
    private final PrintWriter writer;

    /** In which the writer writes, once it was asked for: no change of the headers changes it. */
    private @Nullable String encoding;

    /** Whether nothing can be changed any more, for the application. */
    private boolean isCommitted;

    /** Whether the writer is flushed only to take what it has. */
    private boolean isEmptied;

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
        body = new HeldBody(response, limit, this::flushed);
        text = new AnswerText(body, this::getCharacterEncoding);
        writer = new PrintWriter(text);
        original = response;
        hidden = hide(response);
        headers = new KeptHeaders(response);
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
    RecordedResponse answer() throws IOException {
        empty();
        return new RecordedResponse(getStatus(), ending, endedWith, headers.of(this), body.kept());
    }

    /** Sends what was held back. */
    void send() throws IOException {
        empty();
        if (!body.isPassedOn()) {
            body.end();
            if (!ending.end(response(), getStatus(), endedWith)) {
                body.send();
            }
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
        isEmptied = true;
        try {
            text.flush();
        } finally {
            isEmptied = false;
        }
    }

    @Override
    public boolean isCommitted() {
        return isCommitted || body.isPassedOn() || body.size() > getBufferSize() || super.isCommitted();
    }

    private void flushed() throws IOException {
        if (isEmptied) {
            return;
        }
        isCommitted = true;
        String type = getContentType();
        if (type != null
                && STREAMS.contains(type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT))) {
            body.passOn();
        }
        if (body.isPassedOn()) {
            response().flushBuffer();
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        if (!body.isEnded()) {
            empty();
            flushed();
        }
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (encoding != null) {
            throw new IllegalStateException("getWriter() has been called for this response");
        }
        isBodyUsed = true;
        return body;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (encoding == null) {
            if (isBodyUsed) {
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
        text.forgetEncoding();
        isBodyUsed = false;
    }

    @Override
    public void resetBuffer() {
        requireUncommitted();
        discard();
    }

    private void discard() {
        text.discard();
        body.discard();
    }

    private void requireUncommitted() {
        if (isCommitted()) {
            throw new IllegalStateException("The response is committed already");
        }
    }

    @Override
    public void setBufferSize(int size) {
        if (isCommitted() || body.size() > 0 || !text.isEmpty()) {
            throw new IllegalStateException("The response has content already");
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
        body.end();
    }

    /** A writer goes on as it has begun. */
    @Override
    public void setContentType(@Nullable String type) {
        super.setContentType(type);
        if (type != null && encoding != null && !isCommitted()) {
            super.setCharacterEncoding(encoding);
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
}
