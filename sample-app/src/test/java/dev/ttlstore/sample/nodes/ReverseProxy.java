package dev.ttlstore.sample.nodes;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;

import org.slf4j.LoggerFactory;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.undertow.Undertow;
import io.undertow.server.handlers.proxy.LoadBalancingProxyClient;
import io.undertow.server.handlers.proxy.ProxyHandler;

/**
 * A reverse proxy on loopback that hands each request to the next node in turn. A node that accepts no connection is
 * left out for a second, and another gets the request. A request that was sent is never sent again, unless it only reads.
 */
public final class ReverseProxy implements AutoCloseable {

    private static final int RETRY_DEAD_NODE_SECONDS = 1;

    /** Each live page keeps one. */
    private static final int CONNECTIONS_PER_THREAD = 200;

    /** Less than the twenty seconds after which Tomcat closes an idle connection, perhaps just when a request comes. */
    private static final int IDLE_MILLIS = 10_000;

    private final Undertow server;

    private ReverseProxy(Undertow server) {
        this.server = server;
    }

    /**
     * Starts a proxy.
     *
     * @param port its port, or zero for any
     * @param nodes the ports of the nodes
     */
    public static ReverseProxy start(int port, List<Integer> nodes) {
        // It would log the address of each request that fails, and the key of a secret may be in it.
        ((Logger) LoggerFactory.getLogger("io.undertow.proxy")).setLevel(Level.OFF);
        LoadBalancingProxyClient balancer = new LoadBalancingProxyClient()
                .setProblemServerRetry(RETRY_DEAD_NODE_SECONDS)
                .setConnectionsPerThread(CONNECTIONS_PER_THREAD)
                .setSoftMaxConnectionsPerThread(0)
                .setTtl(IDLE_MILLIS);
        nodes.forEach(node -> balancer.addHost(URI.create("http://127.0.0.1:" + node)));
        Undertow server = Undertow.builder()
                .addHttpListener(port, "127.0.0.1")
                .setHandler(ProxyHandler.builder()
                        .setProxyClient(balancer)
                        .setMaxConnectionRetries(nodes.size())
                        .build())
                .build();
        server.start();
        return new ReverseProxy(server);
    }

    public int port() {
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    @Override
    public void close() {
        server.stop();
    }

    /**
     * Runs a proxy until the process is ended.
     *
     * @param ports its port, and those of the nodes
     */
    public static void main(String[] ports) {
        List<Integer> all = Arrays.stream(ports).map(Integer::valueOf).toList();
        ReverseProxy proxy = start(all.get(0), all.subList(1, all.size()));
        System.out.println("The proxy is at http://localhost:" + proxy.port());
    }
}
