package dev.ttlstore.postgresql;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.postgresql.Proxy.Direction;

/** One connection through a {@link Proxy}: for each direction, a thread that reads and one that writes what is due. */
final class ProxiedConnection {

    private static final int CANCEL_REQUEST = 80877102;
    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;

    /** What is on its way, and when it arrives; a message or, at the end, nothing. */
    private record Parcel(@Nullable Message message, long due) {}

    private final Proxy proxy;
    private final Socket client;
    private final Socket server;
    private final BlockingQueue<Parcel> toServer = new LinkedBlockingQueue<>();
    private final BlockingQueue<Parcel> toClient = new LinkedBlockingQueue<>();

    /** The texts of the statements that the client has prepared, by name. */
    private final Map<String, String> statements = new HashMap<>();

    /** How often the server still has to say that it is ready. */
    private final AtomicInteger unanswered = new AtomicInteger(1);

    /** Which trap was sprung, so that the server's answers no longer pass. */
    private volatile @Nullable Trap sprung;

    /** The trap that closes this connection without its statement. */
    private volatile @Nullable Trap lostTo;

    ProxiedConnection(Proxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start() {
        Threads.start("proxy reads client", () -> readAll(this::readClient, toServer, Direction.TO_SERVER));
        Threads.start("proxy reads server", () -> readAll(this::readServer, toClient, Direction.TO_CLIENT));
        Threads.start("proxy writes server", this::writeServer);
        Threads.start("proxy writes client", this::writeClient);
    }

    private interface Reader {
        /** Reads to the end; returns whether the other end is to be closed too. */
        boolean read() throws IOException, InterruptedException;
    }

    private void readAll(Reader reader, BlockingQueue<Parcel> queue, Direction direction) throws InterruptedException {
        boolean closes = true;
        try {
            closes = reader.read();
        } catch (IOException e) {
            // As good as the end.
            closes = true;
        } finally {
            if (direction == Direction.TO_CLIENT && sprung != null) {
                // The server has closed it, and will never run what is still held back.
                close();
            }
            if (closes) {
                queue.add(new Parcel(null, System.nanoTime() + proxy.delayNanos(direction)));
            }
        }
    }

    private void send(Message message, BlockingQueue<Parcel> queue, Direction direction) {
        queue.add(new Parcel(message, System.nanoTime() + proxy.delayNanos(direction)));
    }

    private boolean readClient() throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
        if (!startUp(in)) {
            return true;
        }
        for (Message message = Message.read(in, true); message != null; message = Message.read(in, true)) {
            Trap trap = proxy.caughtBy(statement(message));
            if (trap != null) {
                return spring(trap, message, in);
            }
            if (asksForAnAnswer(message)) {
                unanswered.incrementAndGet();
            }
            if (!pass(message)) {
                return true;
            }
        }
        return true;
    }

    /** Passes on a message of the client, and returns whether more may follow. */
    private boolean pass(Message message) {
        int size = proxy.take(message.size());
        send(size < message.size() ? message.first(size) : message, toServer, Direction.TO_SERVER);
        return size == message.size();
    }

    private static boolean asksForAnAnswer(Message message) {
        return message.type() == 'S' || message.type() == 'Q' || message.type() == 'F';
    }

    private boolean startUp(DataInputStream in) throws IOException {
        while (true) {
            Message message = Message.read(in, false);
            if (message == null) {
                return false;
            }
            int code = message.code();
            if (code == SSL_REQUEST || code == GSS_REQUEST) {
                client.getOutputStream().write('N');
            } else {
                send(message, toServer, Direction.TO_SERVER);
                return code != CANCEL_REQUEST;
            }
        }
    }

    /** Returns the text of the statement that a message prepares or runs, and its parameters; nothing for any other message. */
    private String statement(Message message) {
        switch (message.type()) {
            case 'P' -> {
                // Already here, because a server that has got a part of a text waits for the rest without a limit.
                statements.put(message.text(0), message.text(1));
                return message.text(1);
            }
            case 'Q' -> {
                return message.body();
            }
            case 'B' -> {
                return statements.getOrDefault(message.text(1), "") + message.body();
            }
            default -> {
                // Runs no statement.
            }
        }
        return "";
    }

    /** Does what a trap says with the statement that begins with a message; returns whether the connection ends with it. */
    private boolean spring(Trap trap, Message first, DataInputStream in) throws IOException, InterruptedException {
        if (trap.fate() == Trap.Fate.LOST) {
            lostTo = trap;
            return true;
        }
        if (trap.fate() == Trap.Fate.HALF) {
            send(first.first(first.size() / 2), toServer, Direction.TO_SERVER);
            trap.spring();
            Message dropped = first;
            while (dropped != null) {
                dropped = Message.read(in, true);
            }
            return true;
        }
        List<Message> statement = new ArrayList<>(List.of(first));
        Message last = first;
        while (!asksForAnAnswer(last)) {
            last = Message.read(in, true);
            if (last == null) {
                return true;
            }
            statement.add(last);
        }
        // Before answers are dropped, so that the last of them is known.
        unanswered.incrementAndGet();
        sprung = trap;
        if (trap.fate() == Trap.Fate.DELIVERED_LATE) {
            close(client);
            trap.spring();
            trap.awaitDelivery();
        }
        statement.forEach(this::pass);
        return false;
    }

    private boolean readServer() throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(server.getInputStream()));
        for (Message message = Message.read(in, true); message != null; message = Message.read(in, true)) {
            boolean idle = message.type() == 'Z' && unanswered.decrementAndGet() == 0;
            if (sprung == null) {
                send(message, toClient, Direction.TO_CLIENT);
            } else if (idle) {
                close();
                return false;
            }
        }
        return true;
    }

    private void writeServer() throws InterruptedException {
        try {
            write(toServer, server);
        } finally {
            close();
        }
    }

    private void writeClient() throws InterruptedException {
        try {
            write(toClient, client);
        } finally {
            Trap trap = sprung;
            // The server's end outlives the client's where a statement is delivered late.
            if (trap == null || trap.fate() != Trap.Fate.DELIVERED_LATE) {
                close();
            }
        }
    }

    private void write(BlockingQueue<Parcel> queue, Socket socket) throws InterruptedException {
        try {
            OutputStream out = new BufferedOutputStream(socket.getOutputStream());
            while (true) {
                Parcel parcel = queue.take();
                for (long left = left(parcel); left > 0; left = left(parcel)) {
                    out.flush();
                    LockSupport.parkNanos(left);
                }
                proxy.awaitRelease();
                Message message = parcel.message();
                if (message == null) {
                    out.flush();
                    return;
                }
                out.write(message.bytes());
                if (queue.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // Closed by the other end or by the test.
            return;
        }
    }

    private static long left(Parcel parcel) {
        return parcel.due() - System.nanoTime();
    }

    /** Closes both ends. */
    void close() {
        // First, because a test may ask as soon as its client has noticed.
        finish(lostTo);
        finish(sprung);
        close(client);
        close(server);
        // So that the writers end as well.
        toServer.add(new Parcel(null, System.nanoTime()));
        toClient.add(new Parcel(null, System.nanoTime()));
        proxy.forget(this);
    }

    private static void finish(@Nullable Trap trap) {
        if (trap != null) {
            trap.finish();
        }
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // As good as closed.
            return;
        }
    }
}
