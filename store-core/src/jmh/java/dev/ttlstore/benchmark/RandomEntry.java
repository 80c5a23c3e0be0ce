package dev.ttlstore.benchmark;

import java.util.SplittableRandom;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import dev.ttlstore.benchmark.peer.Dataset;

/** Picks entries, for each thread by a generator of its own. */
@State(Scope.Thread)
public class RandomEntry {

    private final SplittableRandom random = new SplittableRandom();

    int of(Dataset data) {
        return below(data.size());
    }

    int below(int entries) {
        return random.nextInt(entries);
    }
}
