package dev.ttlstore.internal.commit;

import java.util.ArrayList;
import java.util.List;

import dev.ttlstore.engine.Subscriber;

/** Who is to be told when entries expire, for those who remove them. Thread-safe. */
public final class Subscribers {

    private volatile List<Subscriber> all;

    /**
     * Begins with those that the engine knows.
     *
     * @param known the subscribers
     */
    public Subscribers(List<Subscriber> known) {
        this.all = List.copyOf(known);
    }

    /**
     * Lists them.
     *
     * @return the subscribers
     */
    public List<Subscriber> all() {
        return all;
    }

    /**
     * Adds one, or gives one of its name other groups.
     *
     * @param subscriber the subscriber, which the engine knows
     */
    synchronized void add(Subscriber subscriber) {
        List<Subscriber> changed = without(subscriber.name());
        changed.add(subscriber);
        all = List.copyOf(changed);
    }

    /**
     * Removes one.
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
