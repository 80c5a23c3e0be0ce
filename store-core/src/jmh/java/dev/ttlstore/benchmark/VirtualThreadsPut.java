package dev.ttlstore.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.peer.Peer;
import dev.ttlstore.benchmark.server.PeerUnavailableException;

/**
 * Puts that survive a power cut, by virtual threads: as many as there are requests, as in a server of today. Made by hand
 * rather than with JMH's executor: its threads spin until all have started, and where a put holds on to its carrier, as in
 * native code, most would never start.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
public class VirtualThreadsPut {

    private static final int THREADS = 1_000;
    private static final int PUTS = 20;

    /** Who. */
    @Param({"TTL_STORE_FULL", "PLAIN_FULL", "ROCKSDB_SYNC", "REDIS_ALWAYS"})
    public Configuration peer;

    private ExecutorService threads;
    private Workbench<Peer> bench;

    /** Opens and fills it. */
    @Setup
    public void open(Size size) {
        threads = virtualThreads();
        bench = Workbench.loaded(peer, size);
    }

    /** Closes it. */
    @TearDown
    public void close() {
        threads.shutdown();
        bench.close();
    }

    /** By name, since the benchmarks are compiled for a release that has no virtual threads. */
    private static ExecutorService virtualThreads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new PeerUnavailableException("Virtual threads are skipped: they need JDK 21 or later");
        }
    }

    /** By 1,000 virtual threads, each with puts one after the other. */
    @Benchmark
    @OperationsPerInvocation(THREADS * PUTS)
    public void by1000VirtualThreads() throws InterruptedException, ExecutionException {
        List<Callable<Boolean>> work = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            work.add(this::puts);
        }
        for (Future<Boolean> done : threads.invokeAll(work)) {
            done.get();
        }
    }

    private boolean puts() {
        RandomEntry random = new RandomEntry();
        for (int i = 0; i < PUTS; i++) {
            bench.overwrite(random);
        }
        return true;
    }
}
