package dev.ttlstore.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A client that has begun a request, and sends its body byte by byte. */
public final class SlowClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 30_000;

    private final Socket socket;

    private SlowClient(Socket socket) {
        this.socket = socket;
    }

    public static SlowClient begin(int port, String path, String type) throws IOException {
        SlowClient client = new SlowClient(new Socket(InetAddress.getLoopbackAddress(), port));
        client.socket.setSoTimeout(TIMEOUT_MILLIS);
        client.send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type
                + "\r\nTransfer-Encoding: chunked\r\n\r\n");
        return client;
    }

    /** Has clients send a byte twice a second. */
    public static ScheduledFuture<?> drip(ScheduledExecutorService timer, Collection<SlowClient> clients) {
        return timer.scheduleAtFixedRate(() -> clients.forEach(SlowClient::drip), 0, 500, TimeUnit.MILLISECONDS);
    }

    private void drip() {
        try {
            send("1\r\n \r\n");
        } catch (SocketException e) {
            // The server has closed it.
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Waits for the answer, and returns its status. */
    public String status() throws IOException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        return reader.readLine().split(" ", 3)[1];
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
