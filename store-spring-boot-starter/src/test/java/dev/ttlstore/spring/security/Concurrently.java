package dev.ttlstore.spring.security;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static java.util.concurrent.TimeUnit.MINUTES;

/** Does the same in several threads at once. */
final class Concurrently {

    private Concurrently() {}

    /** Returns the results of all works, which start together. */
    static <R> List<R> call(List<Callable<R>> works) throws Exception {
        CyclicBarrier start = new CyclicBarrier(works.size());
        ExecutorService threads = Executors.newFixedThreadPool(works.size());
        try {
            List<Future<R>> running = new ArrayList<>();
            for (Callable<R> work : works) {
                running.add(threads.submit(() -> {
                    start.await(1, MINUTES);
                    return work.call();
                }));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> each : running) {
                results.add(each.get(1, MINUTES));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
