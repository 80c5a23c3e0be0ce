package dev.ttlstore.spring.idempotency;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/** A request whose body was read before. */
final class BufferedRequest extends HttpServletRequestWrapper {

    private final byte[] body;
    private final ServletInputStream input;

    BufferedRequest(HttpServletRequest request, byte[] body) {
        super(request);
        this.body = body;
        this.input = new Body(body);
    }

    byte[] body() {
        return body;
    }

    @Override
    public ServletInputStream getInputStream() {
        return input;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        String encoding = getCharacterEncoding();
        Charset charset = encoding == null ? StandardCharsets.ISO_8859_1 : Charset.forName(encoding);
        return new BufferedReader(new InputStreamReader(input, charset));
    }

    private static final class Body extends ServletInputStream {
        private final ByteArrayInputStream bytes;

        private Body(byte[] body) {
            this.bytes = new ByteArrayInputStream(body);
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
            try {
                if (isFinished()) {
                    listener.onAllDataRead();
                } else {
                    listener.onDataAvailable();
                }
            } catch (IOException e) {
                listener.onError(e);
            }
        }
    }
}
