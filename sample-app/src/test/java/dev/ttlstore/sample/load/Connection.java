package dev.ttlstore.sample.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A connection that is kept for as long as the server does, with as much of HTTP/1.1 as it takes. It shares its cores with the
 * server, so that what a real client costs would be measured instead.
 */
final class Connection implements AutoCloseable {

    private final int port;
    private Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();

    Connection(int port) {
        this.port = port;
    }

    record Answer(int status, String location, String body) {}

    Answer get(String path) throws IOException {
        return send("GET", path, "");
    }

    Answer post(String path, String body) throws IOException {
        return send("POST", path, body);
    }

    private Answer send(String method, String path, String body) throws IOException {
        // The body is ASCII.
        String request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        if (!socket.isConnected()) {
            connect();
        }
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        int status = Integer.parseInt(line().substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
        int length = 0;
        boolean chunked = false;
        boolean last = false;
        String location = "";
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            String value = header.substring(colon + 1).strip();
            switch (header.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "content-length" -> length = Integer.parseInt(value);
                case "transfer-encoding" -> chunked = true;
                case "connection" -> last = value.equals("close");
                case "location" -> location = value;
                default -> {} // nothing to us
            }
        }
        Answer answer = new Answer(status, location, chunked ? chunks() : text(length));
        if (last) {
            close();
            socket = new Socket();
        }
        return answer;
    }

    private void connect() throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new BufferedInputStream(socket.getInputStream());
    }

    private String chunks() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int length = chunkLength(); length > 0; length = chunkLength()) {
            body.append(text(length));
            line();
        }
        line();
        return body.toString();
    }

    private int chunkLength() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private String text(int length) throws IOException {
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
