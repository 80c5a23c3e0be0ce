package dev.ttlstore.benchmark.peer;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** A peer that can do to a single entry what a store of things that expire is asked for besides puts and gets. */
public interface EntryPeer extends Peer {

    /** Lets an entry live for some time from now, and says whether there is one. */
    boolean renew(String group, String key, Duration ttl);

    /** Removes an entry and returns its value; null if there is none. */
    byte @Nullable [] take(String group, String key);
}
