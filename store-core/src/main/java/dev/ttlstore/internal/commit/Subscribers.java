package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;

import dev.ttlstore.engine.Subscriber;

/** The subscribers to expiries, as commits that remove entries need them. Thread-safe. */
public final class Subscribers {

    private volatile List<Subscriber> all;

    /**
     * Creates the list from the subscribers that the engine knows.
     *
     * @param known the subscribers
     */
    public Subscribers(List<Subscriber> known) {
        this.all = List.copyOf(known);
    }

    /**
     * Lists the subscribers.
     *
     * @return the subscribers
     */
    public List<Subscriber> all() {
        return all;
    }

    /**
     * Adds a subscriber, or changes the groups of an existing one.
     *
     * @param subscriber the subscriber, which the engine knows already
     */
    synchronized void add(Subscriber subscriber) {
        List<Subscriber> changed = without(subscriber.name());
        changed.add(subscriber);
        all = List.copyOf(changed);
    }

    /**
     * Removes a subscriber.
     *
     * @param name its name
     */
    synchronized void remove(String name) {
        all = List.copyOf(without(name));
    }

    private List<Subscriber> without(String name) {
        List<Subscriber> others = new ArrayList<>(all);
        others.removeIf(other -> other.name().equals(name));
        return others;
    }
}
