package dev.ttlstore.spring.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** A network to a server on this machine that lets each message arrive later by a while, in both directions, and makes them no fewer. */
final class DelayingProxy implements AutoCloseable {

    private static final int BUFFER = 16_384;

    private final int serverPort;
    private final long delayNanos;
    private final ServerSocket listener;

    /** What has arrived; no bytes at the end. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Message(byte[] bytes, long dueNanos) {}

    /** A step that ends with the connection. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    DelayingProxy(int serverPort, Duration eachWay) {
        this.serverPort = serverPort;
        this.delayNanos = eachWay.toNanos();
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void acceptAll() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            connect(client, server);
            connect(server, client);
        }
    }

    private void connect(Socket from, Socket to) throws IOException {
        to.setTcpNoDelay(true);
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        BlockingQueue<Message> under = new LinkedBlockingQueue<>();
        start(() -> {
            byte[] buffer = new byte[BUFFER];
            int read = 0;
            try {
                while (read >= 0) {
                    read = in.read(buffer);
                    under.add(new Message(Arrays.copyOf(buffer, Math.max(0, read)), System.nanoTime() + delayNanos));
                }
            } catch (IOException e) {
                under.add(new Message(new byte[0], System.nanoTime()));
            }
        });
        start(() -> {
            try (to) {
                for (Message next = under.take(); next.bytes.length > 0; next = under.take()) {
                    for (long left = delayNanos; left > 0; left = next.dueNanos - System.nanoTime()) {
                        LockSupport.parkNanos(Math.min(left, next.dueNanos - System.nanoTime()));
                    }
                    out.write(next.bytes);
                }
            }
        });
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // The connection, or the proxy, was closed.
                    }
                },
                "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
