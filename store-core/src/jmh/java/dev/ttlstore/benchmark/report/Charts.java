package dev.ttlstore.benchmark.report;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import dev.ttlstore.benchmark.peer.Configuration;
import dev.ttlstore.benchmark.report.Chart.Bar;
import dev.ttlstore.benchmark.report.Chart.Section;

/** The charts: one for each main question, and a summary. Puts are only compared with puts that promise the same. */
final class Charts {

    private static final String GET = "HotGet.oneThread";
    private static final String PUT = "Put.overwrite";
    private static final String LONGER = " (longer is better); ";
    private static final String SIZE = "200,000 entries of 100 bytes, median";

    private static final Set<Configuration> OURS = Set.of(
            Configuration.TTL_STORE,
            Configuration.TTL_STORE_FULL,
            Configuration.TTL_STORE_CACHED,
            Configuration.TTL_STORE_DEFAULT);

    /** Whom the summary shows beside us, with each promise. */
    private static final Set<Configuration> KNOWN = Set.of(
            Configuration.PLAIN,
            Configuration.PLAIN_FULL,
            Configuration.ROCKSDB,
            Configuration.ROCKSDB_SYNC,
            Configuration.REDIS_EVERYSEC,
            Configuration.REDIS_ALWAYS);

    private final Results results;

    Charts(Results results) {
        this.results = results;
    }

    /** Returns all charts, also those whose results are missing. */
    List<Chart> all() {
        return List.of(
                chart("get", "Get of a hot entry", "Gets per second by one thread", section("", GET, peer -> true)),
                chart(
                        "put",
                        "Put that survives a killed process",
                        "Puts per second by one thread",
                        section("", PUT, Charts::isBuffered)),
                chart(
                        "put-full",
                        "Put that survives a power cut",
                        "Puts per second by one thread",
                        section("", PUT, Charts::isSynced)),
                chart(
                        "put-full-threads",
                        "Put that survives a power cut, by many threads",
                        "Puts per second",
                        shared("8"),
                        shared("32"),
                        shared("128")),
                summary());
    }

    private static Chart chart(String name, String title, String unit, Section... sections) {
        return new Chart(name + ".svg", title, unit + LONGER + SIZE, List.of(sections), true);
    }

    private Chart summary() {
        return new Chart(
                "summary.svg",
                "TTL Store beside others",
                "Calls per second" + LONGER + SIZE + "; each block has a scale of its own",
                List.of(
                        section("Get of a hot entry", GET, Charts::isInSummary),
                        section(
                                "Put that survives a killed process",
                                PUT,
                                peer -> isInSummary(peer) && isBuffered(peer)),
                        section("Put that survives a power cut", PUT, peer -> isInSummary(peer) && isSynced(peer)),
                        section("The same by 128 threads", "SharedPut.by128Threads", Charts::isInSummary)),
                false);
    }

    private Section shared(String threads) {
        return section(threads + " threads", "SharedPut.by" + threads + "Threads", Charts::isSynced);
    }

    private Section section(String title, String benchmark, Predicate<Configuration> shown) {
        List<Bar> bars = results.usual(benchmark).stream()
                .filter(result -> !result.peer().isEmpty() && shown.test(Configuration.valueOf(result.peer())))
                .map(Charts::bar)
                .sorted(Comparator.comparingDouble(Bar::value).reversed())
                .toList();
        return new Section(title, bars);
    }

    private static Bar bar(Result result) {
        Configuration peer = Configuration.valueOf(result.peer());
        return new Bar(peer.title(), result.rate(), OURS.contains(peer));
    }

    private static boolean isInSummary(Configuration peer) {
        return OURS.contains(peer) || KNOWN.contains(peer);
    }

    private static boolean isSynced(Configuration peer) {
        return peer.survivesPowerCut().equals("yes");
    }

    private static boolean isBuffered(Configuration peer) {
        return peer.survivesKill().equals("yes") && !isSynced(peer);
    }
}
