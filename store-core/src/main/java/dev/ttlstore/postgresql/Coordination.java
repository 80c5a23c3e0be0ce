package dev.ttlstore.postgresql;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** What connects this node with the others: it follows their commits, and notifies them of its own. Thread-safe. */
final class Coordination {

    private final Channel channel;
    private final Peers peers;
    private final Notifier notifier;
    private final Follower follower;
    private final @Nullable Listener listener;

    Coordination(NodeParts parts, FinalTimes finalTimes, PostgreSqlSettings settings) {
        Intervals intervals = settings.intervals;
        this.channel = Channel.of(settings.schema, parts.node());
        this.peers = new Peers(parts, intervals);
        this.notifier = new Notifier(parts, peers, channel, intervals);
        this.follower = new Follower(parts, finalTimes, settings.kept, intervals, peers, this::isNotified);
        this.listener = settings.notifications
                ? new Listener(parts, peers, channel, intervals, notifier, follower::wake)
                : null;
    }

    /** Tests whether this node is notified of every commit of another one. */
    boolean isNotified() {
        return listener != null && listener.isNotified();
    }

    /** Returns how many other nodes want to be notified. */
    int others() {
        return peers.count();
    }

    /** Returns the thread that reads what other nodes have committed. */
    Follower follower() {
        return follower;
    }

    void start() {
        follower.start();
        notifier.start();
        if (listener != null) {
            listener.start();
        }
    }

    /** Notes a commit of this node. Returns at once. */
    void committed(List<LogRow> rows) {
        if (rows.stream().anyMatch(LogRow::isNews)) {
            notifier.committed();
        }
    }

    /** Ends the threads, except for the one that listens: it ends when it hears that this node leaves. */
    void stop() {
        follower.stop();
        notifier.stop();
        if (listener != null) {
            listener.stop();
        }
    }

    /** Notes a commit that the application has made, or may have made. This node reports it as it reports those of others. */
    void committedOutside(List<LogRow> rows) {
        committed(rows);
        follower.wake();
    }

    /** Adds what removes this node from the others, and notifies those that may wait for its last commits. */
    Script leave(Script script) {
        return listener == null && !peers.areThere() ? script : channel.left(peers.leave(script));
    }

    /** Starts threads again that are gone. */
    void ensureRunning() {
        follower.ensureRunning();
        notifier.ensureRunning();
        if (listener != null) {
            listener.ensureRunning();
        }
    }

    /** Waits for the thread that listens. */
    void join() {
        if (listener != null) {
            listener.join();
        }
    }
}
