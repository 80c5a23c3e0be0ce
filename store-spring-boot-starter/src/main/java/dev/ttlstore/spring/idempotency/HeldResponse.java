package dev.ttlstore.spring.idempotency;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.spring.idempotency.Exchange.Answer;
import dev.ttlstore.spring.idempotency.Exchange.Ending;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
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
    private final long limit;
    private final Output output = new Output();
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean isOutputUsed;
    private final AnswerText text = new AnswerText(output, this::getCharacterEncoding);
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
    Answer answer() throws IOException {
        empty();
        return new Answer(getStatus(), ending, endedWith, headers.of(this), isPassedOn ? null : held.toByteArray());
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
        text.forgetEncoding();
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
