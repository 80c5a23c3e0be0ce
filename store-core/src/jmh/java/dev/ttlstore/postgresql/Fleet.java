package dev.ttlstore.postgresql;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.postgresql.ds.PGSimpleDataSource;

import com.zaxxer.hikari.HikariDataSource;

import dev.ttlstore.Store;

/** Several nodes on one server, each with a pool of its own, and a network that delays each round trip. */
final class Fleet implements AutoCloseable {

    private final Proxy proxy;
    private final List<Node> nodes = new ArrayList<>();

    /** One node. */
    record Node(Store store, HikariDataSource pool) {}

    /**
     * Opens them.
     *
     * @param server the server
     * @param size how many
     * @param eachWay how long a message takes, in each direction; if it is zero, there is no network in between
     */
    Fleet(BenchmarkServer server, int size, Duration eachWay) throws IOException {
        proxy = new Proxy("127.0.0.1", server.server().port());
        proxy.delay(Proxy.Direction.TO_SERVER, eachWay);
        proxy.delay(Proxy.Direction.TO_CLIENT, eachWay);
        for (int i = 0; i < size; i++) {
            PGSimpleDataSource source = server.server().dataSource();
            if (!eachWay.isZero()) {
                source.setPortNumbers(new int[] {proxy.port()});
            }
            HikariDataSource pool = BenchmarkServer.pool(source);
            nodes.add(new Node(BenchmarkServer.store(pool), pool));
        }
    }

    List<Node> nodes() {
        return nodes;
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(node -> {
            node.store().close();
            node.pool().close();
        });
        proxy.close();
    }
}
