package dev.ttlstore.benchmark;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.peer.Dataset;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.server.Folder;

/** A peer that is open, its data and its files; all gone at the end. */
final class Workbench<P extends Peer> implements AutoCloseable {

    private final Folder folder;
    private final P peer;
    private final Dataset data;
    private final AtomicLong fresh = new AtomicLong();

    private Workbench(Folder folder, P peer, Dataset data) {
        this.folder = folder;
        this.peer = peer;
        this.data = data;
    }

    /** With nothing in it. */
    static <P extends Peer> Workbench<P> empty(Function<Path, P> opener, Dataset data) {
        Folder folder = new Folder();
        try {
            return new Workbench<>(folder, opener.apply(folder.path()), data);
        } catch (RuntimeException | Error e) {
            folder.close();
            throw e;
        }
    }

    /** With all of the data in it. */
    static <P extends Peer> Workbench<P> loaded(Function<Path, P> opener, Dataset data) {
        Workbench<P> bench = empty(opener, data);
        try {
            bench.peer.load(data);
            return bench;
        } catch (RuntimeException | Error e) {
            bench.close();
            throw e;
        }
    }

    static Workbench<Peer> loaded(Configuration peer, Size size) {
        return loaded(peer::open, size.data());
    }

    P peer() {
        return peer;
    }

    Dataset data() {
        return data;
    }

    byte[] get(int entry) {
        return Objects.requireNonNull(peer.get(data.group(entry), data.key(entry)));
    }

    void overwrite(RandomEntry random) {
        int entry = random.of(data);
        // Not the value that stands there: who compares must find a difference.
        peer.put(data.group(entry), data.key(entry), data.value(entry + 1), Peer.TTL);
    }

    void append(RandomEntry random) {
        int neighbour = random.of(data);
        peer.put(data.group(neighbour), freshKey(), data.value(neighbour), Peer.TTL);
    }

    String freshKey() {
        return data.freshKey(fresh.getAndIncrement());
    }

    @Override
    public void close() {
        peer.close();
        folder.close();
    }
}
