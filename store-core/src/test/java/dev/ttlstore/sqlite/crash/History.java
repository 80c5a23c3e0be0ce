package dev.ttlstore.sqlite.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

import dev.ttlstore.Store;

/** What a store held after each of its commits, and how long its log was then. */
final class History {

    private final List<SortedMap<Place, State>> states = new ArrayList<>();
    private final List<Long> lengths = new ArrayList<>();
    private final SortedSet<Place> places = new TreeSet<>();

    /** Opens a store with nothing in the background. */
    static Store open(Path file, InstantSource clock) {
        return Store.builder()
                .path(file)
                .clock(clock)
                .purgeInterval(Duration.ZERO)
                .open();
    }

    /** Commits what a plan says, step by step, and keeps what stands after each. */
    static History write(Store store, Path file, long seed, int commits) throws IOException {
        History history = new History();
        Plan plan = new Plan(seed, 0, Contents.of(store).of(0));
        history.keep(store, file);
        Random random = new Random(seed);
        for (int i = 0; i < commits; i++) {
            for (Part part : plan.next()) {
                if (part.action().on(store).join()) {
                    plan.took(part);
                }
                history.keep(store, file);
            }
            if (random.nextInt(10) == 0) {
                store.check();
            }
        }
        return history;
    }

    private void keep(Store store, Path file) throws IOException {
        Path wal = StoreFiles.wal(file);
        states.add(Contents.of(store).entries());
        places.addAll(states.get(states.size() - 1).keySet());
        lengths.add(Files.exists(wal) ? Files.size(wal) : 0);
    }

    /** What is in the part of the log that ends before a byte, on top of the file. */
    SortedMap<Place, State> before(long offset) {
        int last = 0;
        for (int i = 0; i < lengths.size(); i++) {
            if (lengths.get(i) <= offset) {
                last = i;
            }
        }
        return states.get(last);
    }

    boolean contains(SortedMap<Place, State> state) {
        return states.contains(state);
    }

    SortedMap<Place, State> last() {
        return states.get(states.size() - 1);
    }

    /** All places at which something has ever stood. */
    SortedSet<Place> places() {
        return places;
    }
}
