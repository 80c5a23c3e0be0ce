package dev.ttlstore.postgresql;

import java.time.Duration;

/**
 * When a node looks at the log for commits of others, and when it notifies others of its own.
 *
 * @param look the pause between two looks while nobody notifies this node, and for a while after a notification
 * @param net the pause between two looks while this node is notified; in case a notification is lost
 * @param hold for how long a node goes on looking after a notification
 * @param gap the shortest time between two notifications of a node; shorter than {@code hold}, so that nodes look all the time
 *     while another one commits all the time
 * @param known for how long a node that has registered goes on looking, because the others do not know of it yet
 * @param stale the age at which a node no longer relies on what it has read about other nodes; less than {@code known}
 * @param test the pause between two tests whether notifications arrive
 * @param patience how long a notification of a test may take
 * @param again the pause after which a node that hears nothing tries again
 */
record Intervals(
        Duration look,
        Duration net,
        Duration hold,
        Duration gap,
        Duration known,
        Duration stale,
        Duration test,
        Duration patience,
        Duration again) {

    static final Intervals DEFAULT = new Intervals(
            Duration.ofMillis(20),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            Duration.ofSeconds(5),
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1));

    /** Returns the same with another pause between two looks. */
    Intervals look(Duration pause) {
        return new Intervals(pause, net, hold, gap, known, stale, test, patience, again);
    }

    /** Returns the same with another safety net. */
    Intervals net(Duration pause) {
        return new Intervals(look, pause, hold, gap, known, stale, test, patience, again);
    }

    /** Returns the same with another gap. */
    Intervals gap(Duration time) {
        return new Intervals(look, net, hold, time, known, stale, test, patience, again);
    }

    /** Returns the same with other times for what nodes know of each other. */
    Intervals knowing(Duration knownAfter, Duration staleAfter) {
        return new Intervals(look, net, hold, gap, knownAfter, staleAfter, test, patience, again);
    }

    /** Returns the same with other tests. */
    Intervals tests(Duration pause, Duration longest, Duration pauseWhenDeaf) {
        return new Intervals(look, net, hold, gap, known, stale, pause, longest, pauseWhenDeaf);
    }
}
