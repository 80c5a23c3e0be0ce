package dev.ttlstore.benchmark.turns;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Callers that call at the same time, each in a thread of its own, as often as they can or with pauses. */
public final class Callers {

    private Callers() {}

    /** What a caller does again and again. */
    @FunctionalInterface
    public interface Call {

        /** Calls once. */
        void run() throws Exception;
    }

    /** What they have measured. Percentiles are of all calls together. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Result(double perSecond, long[] sortedNanos) {

        /** Returns how long a call took at most in a share of the cases, in milliseconds. */
        public double millis(double share) {
            return sortedNanos.length == 0 ? Double.NaN : sortedNanos[(int) ((sortedNanos.length - 1) * share)] / 1e6;
        }
    }

    /** Lets them call for some time without pauses. */
    public static Result run(List<? extends Call> calls, Duration time) throws InterruptedException {
        try (Running running = new Running(calls, Duration.ZERO)) {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            return running.stop();
        }
    }

    /** Calls that go on until they are stopped. */
    public static final class Running implements AutoCloseable {

        private final AtomicBoolean stopped = new AtomicBoolean();
        private final List<CompletableFuture<long[]>> threads = new ArrayList<>();
        private final long start = System.nanoTime();

        /** Starts them, with a pause of each after each call. */
        public Running(List<? extends Call> calls, Duration pause) {
            for (Call call : calls) {
                CompletableFuture<long[]> result = new CompletableFuture<>();
                threads.add(result);
                Thread thread = new Thread(
                        () -> {
                            try {
                                result.complete(times(call, pause));
                            } catch (Exception | Error e) {
                                result.completeExceptionally(e);
                            }
                        },
                        "caller");
                thread.setDaemon(true);
                thread.start();
            }
        }

        private long[] times(Call call, Duration pause) throws Exception {
            long[] nanos = new long[1_024];
            int count = 0;
            while (!stopped.get()) {
                long begun = System.nanoTime();
                call.run();
                if (count == nanos.length) {
                    nanos = Arrays.copyOf(nanos, 2 * count);
                }
                nanos[count++] = System.nanoTime() - begun;
                if (!pause.isZero()) {
                    TimeUnit.NANOSECONDS.sleep(pause.toNanos());
                }
            }
            return Arrays.copyOf(nanos, count);
        }

        /** Ends them, and says what they have measured. */
        public Result stop() {
            stopped.set(true);
            try {
                long[] all = threads.stream()
                        .flatMapToLong(thread -> Arrays.stream(thread.join()))
                        .sorted()
                        .toArray();
                return new Result(all.length * 1e9 / (System.nanoTime() - start), all);
            } catch (CompletionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }

        @Override
        public void close() {
            stopped.set(true);
        }
    }
}
