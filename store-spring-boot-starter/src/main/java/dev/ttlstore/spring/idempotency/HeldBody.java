package dev.ttlstore.spring.idempotency;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;

/** The body of a response that is held back. If it is larger than what is kept, it is passed on as it comes. */
final class HeldBody extends ServletOutputStream {

    /** Called when the application flushes. */
    interface Flushing {
        void flushed() throws IOException;
    }

    private final HttpServletResponse response;
    private final long limit;
    private final Flushing flushing;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean isPassedOn;

    /** Whether nothing more is written. */
    private boolean isEnded;

    /**
     * Holds a body back.
     *
     * @param response the response that gets it
     * @param limit the largest body that is held back, in bytes
     * @param flushing called when the application flushes
     */
    HeldBody(HttpServletResponse response, long limit, Flushing flushing) {
        this.response = response;
        this.limit = limit;
        this.flushing = flushing;
    }

    boolean isPassedOn() {
        return isPassedOn;
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Returns how many bytes are held back. */
    int size() {
        return held.size();
    }

    /** Returns what is held back; null if it was passed on. */
    byte @Nullable [] kept() {
        return isPassedOn ? null : held.toByteArray();
    }

    /** Passes on what is held back, and all that follows. */
    void passOn() throws IOException {
        if (!isPassedOn) {
            isPassedOn = true;
            held.writeTo(response.getOutputStream());
            held.reset();
        }
    }

    void discard() {
        held.reset();
    }

    void end() {
        isEnded = true;
    }

    /** Sends what was held back. */
    void send() throws IOException {
        if (held.size() > 0) {
            held.writeTo(response.getOutputStream());
        }
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        if (isEnded) {
            return;
        }
        if (held.size() + (long) length > limit) {
            passOn();
        }
        if (isPassedOn) {
            response.getOutputStream().write(bytes, from, length);
        } else {
            held.write(bytes, from, length);
        }
    }

    @Override
    public void flush() throws IOException {
        if (!isEnded) {
            flushing.flushed();
        }
    }

    /** Ends the body, but not the handler, so that it is not sent yet. */
    @Override
    public void close() throws IOException {
        flush();
        isEnded = true;
    }

    @Override
    public boolean isReady() {
        try {
            return !isPassedOn || response.getOutputStream().isReady();
        } catch (IOException e) {
            return false;
        }
    }

    /** Non-blocking writes depend on the room in the connection, so they go straight to it. */
    @Override
    public void setWriteListener(WriteListener listener) {
        try {
            passOn();
            response.getOutputStream().setWriteListener(listener);
        } catch (IOException e) {
            listener.onError(e);
        }
    }
}
