package dev.ttlstore.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/** What the callers of a load test were told, and when something was down. Thread-safe. */
final class Ledger {

    /** A proxy needs this long to notice that a connection has broken. */
    private static final long NOTICED_NANOS = 500_000_000;

    final Queue<Secret> secrets = new ConcurrentLinkedQueue<>();
    final AtomicLong answered = new AtomicLong();
    final AtomicLong refused = new AtomicLong();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private final List<Outage> outages = new ArrayList<>();

    /** A secret whose creation was acknowledged, and what is known about it. */
    record Secret(
            String key, String id, String value, AtomicInteger revealed, AtomicInteger deleted, AtomicInteger unknown) {

        Secret(String key, String id, String value) {
            this(key, id, value, new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
        }

        boolean isGone() {
            return revealed.get() + deleted.get() > 0;
        }

        boolean mayBeGone() {
            return isGone() || unknown.get() > 0;
        }
    }

    /** A request without an answer, between two points in time. */
    record Failure(String request, String why, long begin, long end) {}

    /** The time in which something was killed or restarted. */
    record Outage(String what, long begin, long end) {

        boolean overlaps(Failure failure) {
            return failure.begin <= end + NOTICED_NANOS && failure.end >= begin;
        }
    }

    /** Something that the test does to the nodes or the database. */
    interface Strike {
        void run() throws Exception;
    }

    void failed(String request, String why, long begin) {
        failures.add(new Failure(request, why, begin, System.nanoTime()));
    }

    void during(String what, Strike strike) throws Exception {
        long begin = System.nanoTime();
        strike.run();
        outages.add(new Outage(what, begin, System.nanoTime()));
    }

    /** Returns how many requests in flight have failed because of each outage. Fails if there were others. */
    List<String> failuresInFlight() {
        assertThat(failures).allMatch(failure -> outages.stream().anyMatch(outage -> outage.overlaps(failure)));
        return outages.stream()
                .map(outage -> outage.what + ": "
                        + failures.stream().filter(outage::overlaps).count())
                .toList();
    }

    long failedCreations() {
        return failures.stream()
                .filter(failure -> failure.request.equals("secrets"))
                .count();
    }
}
