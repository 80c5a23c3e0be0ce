package dev.ttlstore.sqlite.crash;

import java.util.Comparator;

/** Where an entry is. */
record Place(String group, String key) implements Comparable<Place> {

    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::group).thenComparing(Place::key);

    /** The name of a key of one thread's, which no other thread writes to. */
    static Place of(String group, int thread, int number) {
        return new Place(group, thread + "." + number);
    }

    boolean isOf(int thread) {
        return key.startsWith(thread + ".");
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }
}
