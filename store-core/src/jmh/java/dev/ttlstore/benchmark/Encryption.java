package dev.ttlstore.benchmark;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.Durability;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.benchmark.peer.TinkCipher;
import dev.ttlstore.benchmark.peer.TtlStore;
import dev.ttlstore.contract.AesGcm;

/** What encrypted groups cost beside others. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class Encryption {

    /** What the groups are encrypted with. */
    @Param
    public With with;

    /** A way to seal values, with AES-256-GCM. */
    public enum With {
        /** None: they are stored as they are. */
        NOTHING,
        /** Tink, as in the starter. It keeps a cipher and a source of nonces for each thread. */
        TINK,
        /** The JDK's cipher at its simplest, which makes one for each value. */
        JDK
    }

    /** How many entries are read from the cache, as in {@link HotGet}. */
    @Param("2000")
    public int hot;

    private Workbench<TtlStore> cached;
    private Workbench<TtlStore> uncached;

    /** Opens and fills one store with a near cache, and warms that, and one without. */
    @Setup
    public void open(Size size) {
        cached = open(TtlStore.AMPLE_CACHE, size);
        for (int i = 0; i < cached.data().size(); i++) {
            cached.get(i);
        }
        uncached = open(0, size);
    }

    private Workbench<TtlStore> open(long cacheBytes, Size size) {
        return Workbench.loaded(
                folder -> TtlStore.open(folder, Durability.NORMAL, cacheBytes, InstantSource.system(), this::encrypt),
                size.data());
    }

    private void encrypt(StoreBuilder builder) {
        switch (with) {
            case NOTHING -> {}
            case TINK -> builder.encrypt(group -> true, new TinkCipher());
            case JDK -> builder.encrypt(group -> true, new AesGcm(1));
        }
    }

    /** Closes both. */
    @TearDown
    public void close() {
        cached.close();
        uncached.close();
    }

    /** A hot entry, from the near cache. */
    @Benchmark
    public byte[] cachedGet(RandomEntry random) {
        return cached.get(random.below(hot));
    }

    /** A random entry, from the file. */
    @Benchmark
    public byte[] uncachedGet(RandomEntry random) {
        return uncached.get(random.of(uncached.data()));
    }

    /** A put with a ttl in the place of a random entry. */
    @Benchmark
    public void overwrite(RandomEntry random) {
        uncached.overwrite(random);
    }
}
