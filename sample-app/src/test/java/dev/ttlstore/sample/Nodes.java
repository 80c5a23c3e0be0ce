package dev.ttlstore.sample;

import java.util.List;

import org.springframework.context.ApplicationContext;

import dev.ttlstore.sample.team.LiveActivity;

import static org.awaitility.Awaitility.await;

/** The nodes of the sample that answer a test. Unless it asks for {@link ThreeNodes}, this is the one of its own context. */
public class Nodes {

    private final List<? extends ApplicationContext> nodes;

    Nodes(List<? extends ApplicationContext> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    public static Nodes of(ApplicationContext sample) {
        return sample.getBeanProvider(Nodes.class).getIfAvailable(() -> new Nodes(List.of(sample)));
    }

    /** Returns the port that clients know: the proxy's, if there is one. */
    public int port() {
        return port(0);
    }

    /** Returns the port of one node. */
    public int port(int node) {
        return port(nodes.get(node));
    }

    static int port(ApplicationContext node) {
        return node.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    /** Ends the live pages on all nodes, and refuses others. */
    public void stopStreams() {
        streams().forEach(LiveActivity::stop);
    }

    /** Admits live pages again. */
    public void startStreams() {
        streams().forEach(LiveActivity::start);
    }

    /** Ends live pages whose client may be gone. */
    void endStreams() {
        for (LiveActivity live : streams()) {
            if (live.size() > 0) {
                live.stop();
                await().until(() -> live.size() == 0);
                live.start();
            }
        }
    }

    private List<LiveActivity> streams() {
        return nodes.stream().map(node -> node.getBean(LiveActivity.class)).toList();
    }
}
