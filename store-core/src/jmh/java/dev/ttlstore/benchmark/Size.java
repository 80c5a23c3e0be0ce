package dev.ttlstore.benchmark;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import dev.ttlstore.benchmark.peer.Dataset;

/** How much data there is. */
@State(Scope.Benchmark)
public class Size {

    private static final int GROUPS = 100;

    /** How many entries; of large values there are fewer. */
    @Param("200000")
    public int entries;

    /** The bytes of a value. */
    @Param("100")
    public int valueSize;

    Dataset data() {
        return new Dataset("group", entries, GROUPS, valueSize);
    }

    Dataset data(int groupSize) {
        return new Dataset("group", entries, Math.max(1, entries / groupSize), valueSize);
    }
}
