package dev.ttlstore.postgresql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * A network between a client and a PostgreSQL server that fails and lags as a test says. It listens on loopback. It reads the
 * protocol without encryption, so it knows which statement a message runs, also when the statement was prepared long before.
 * Thread-safe.
 */
final class Proxy implements AutoCloseable {

    /** Where to. */
    enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final InetSocketAddress server;
    private final ServerSocket listener;
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final Map<Direction, Duration> delays = new EnumMap<>(Direction.class);
    private final AtomicLong bytesLeft = new AtomicLong(NO_LIMIT);

    private boolean held;
    private volatile boolean refusing;
    private volatile @Nullable Trap trap;

    /** Starts a proxy in front of a server. */
    Proxy(String host, int port) throws IOException {
        server = new InetSocketAddress(host, port);
        listener = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        Threads.start("proxy", this::acceptAll);
    }

    /** Returns the port of 127.0.0.1 that stands for the server's. */
    int port() {
        return listener.getLocalPort();
    }

    /** Returns how many connections are open. */
    int connections() {
        return connections.size();
    }

    private void acceptAll() {
        while (true) {
            Socket client;
            try {
                client = listener.accept();
            } catch (IOException e) {
                // Closed.
                return;
            }
            try {
                connect(client);
            } catch (IOException e) {
                ProxiedConnection.close(client);
            }
        }
    }

    private void connect(Socket client) throws IOException {
        if (refusing) {
            ProxiedConnection.close(client);
            return;
        }
        Socket upstream = new Socket();
        try {
            upstream.connect(server);
            ProxiedConnection connection = new ProxiedConnection(this, client, upstream);
            connections.add(connection);
            connection.start();
            if (refusing) { // since it was asked above
                connection.close();
            }
        } catch (IOException e) {
            ProxiedConnection.close(upstream);
            throw e;
        }
    }

    /** Closes all connections. New ones pass. */
    void cut() {
        connections.forEach(ProxiedConnection::close);
    }

    /** Closes all connections, and every new one at once, as where no server is. */
    void refuse() {
        refusing = true;
        cut();
    }

    /** Lets new connections pass again. */
    void accept() {
        refusing = false;
    }

    /** Passes nothing on, in either direction, as a network does that loses everything; connections stay open. */
    synchronized void hold() {
        held = true;
    }

    /** Passes on what was held, and what follows. */
    synchronized void release() {
        held = false;
        notifyAll();
    }

    /** Lets everything that goes in a direction arrive later by a while, without making it fewer. */
    synchronized void delay(Direction direction, Duration delay) {
        delays.put(direction, delay);
    }

    /**
     * Closes the connection that next runs a statement with a text, before the server gets that statement. What the client sent
     * before, even in the same packet, arrives.
     *
     * @param text a part of the statement or of its parameters, such as {@code COMMIT}
     */
    Trap cutBefore(String text) {
        return set(new Trap(text, Trap.Fate.LOST));
    }

    /** Closes the connection that next runs a statement with a text, after the server has run it, but before the client knows. */
    Trap cutAfter(String text) {
        return set(new Trap(text, Trap.Fate.ANSWER_LOST));
    }

    /**
     * Closes the client's end of the connection that next runs a statement with a text, and keeps the server's end with its
     * transaction open. The server gets the statement when the test calls {@link Trap#deliver}.
     */
    Trap cutAndDeliverLater(String text) {
        return set(new Trap(text, Trap.Fate.DELIVERED_LATE));
    }

    /**
     * Passes on only the first half of the message with which the next statement with a text begins, and nothing that follows it,
     * while the connection stays open, as if the client's machine had stopped.
     */
    Trap stopWithin(String text) {
        return set(new Trap(text, Trap.Fate.HALF));
    }

    private Trap set(Trap next) {
        trap = next;
        return next;
    }

    /** Closes the connection over which a number of bytes from clients is exceeded, counted over all from now, after those bytes. */
    void cutAfterClientBytes(long bytes) {
        bytesLeft.set(bytes);
    }

    /** Takes bytes from those that may still pass, and returns how many of them may. */
    int take(int bytes) {
        if (bytesLeft.get() == NO_LIMIT) {
            return bytes;
        }
        long before = bytesLeft.getAndUpdate(left -> left == NO_LIMIT ? left : left < bytes ? NO_LIMIT : left - bytes);
        return (int) Math.min(bytes, before);
    }

    /** Returns the trap that this statement springs, or nothing. */
    @Nullable
    Trap caughtBy(String statement) {
        Trap set = trap;
        if (set == null || !set.catches(statement)) {
            return null;
        }
        Trap next = set.next();
        if (next != null) {
            trap = next;
        }
        return set;
    }

    synchronized long delayNanos(Direction direction) {
        return delays.getOrDefault(direction, Duration.ZERO).toNanos();
    }

    synchronized void awaitRelease() throws InterruptedException {
        while (held) {
            wait();
        }
    }

    void forget(ProxiedConnection connection) {
        connections.remove(connection);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        release();
        cut();
    }
}
