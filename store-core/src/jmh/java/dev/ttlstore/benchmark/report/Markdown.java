package dev.ttlstore.benchmark.report;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import dev.ttlstore.benchmark.peer.Configuration;

/** Writes the report. */
final class Markdown {

    /** Whom to compare with, those of them that are in the table. */
    private static final List<Configuration> REFERENCES =
            List.of(Configuration.SQLITE, Configuration.PLAIN, Configuration.ROCKSDB, Configuration.CAFFEINE);

    /** The same for those who wait for the disk. */
    private static final List<Configuration> SYNCED_REFERENCES = List.of(
            Configuration.SQLITE_FULL,
            Configuration.PLAIN_FULL,
            Configuration.ROCKSDB_SYNC,
            Configuration.REDIS_ALWAYS);

    private final Results results;
    private final StringBuilder text = new StringBuilder();

    Markdown(Results results) {
        this.results = results;
    }

    String text() {
        goals();
        promises();
        text.append("\n## Measurements\n\nEach figure is the median over the iterations.\n");
        results.tables().forEach(this::table);
        return text.toString();
    }

    private void goals() {
        text.append("# TTL Store: benchmarks\n\n## Goals\n\n| goal | bound | measured | met? |\n|---|--:|--:|---|\n");
        for (Goal goal : Goals.all()) {
            OptionalDouble measured = goal.measured().apply(results);
            row(
                    goal.text(),
                    (goal.atMost() ? "≤ " : "≥ ") + figure(goal.bound()),
                    measured.isPresent() ? figure(measured.getAsDouble()) : "missing",
                    measured.isEmpty() ? "missing" : goal.isMet(measured.getAsDouble()) ? "yes" : "**no**");
        }
    }

    private void promises() {
        text.append("\n## What a put has survived when it returns\n\n");
        text.append("| peer | survives process kill | survives power cut |\n|---|---|---|\n");
        for (Configuration peer : Configuration.values()) {
            row(peer.title(), peer.survivesKill(), peer.survivesPowerCut());
        }
    }

    private void table(String title, List<Result> rows) {
        text.append("\n### ").append(title).append("\n\n");
        if (rows.get(0).hasLatencies()) {
            latencies(rows);
            return;
        }
        text.append("| peer | per second | beside |\n|---|--:|---|\n");
        for (Result result : rows) {
            row(title(result), figure(result.rate()), beside(result, rows));
        }
    }

    private void latencies(List<Result> rows) {
        text.append("| peer | p50 µs | p99 µs | p99.9 µs | longest µs |\n|---|--:|--:|--:|--:|\n");
        for (Result result : rows) {
            row(
                    title(result),
                    figure(result.counter("p50Micros")),
                    figure(result.counter("p99Micros")),
                    figure(result.counter("p999Micros")),
                    figure(result.counter("maxMicros")));
        }
    }

    private static String beside(Result result, List<Result> rows) {
        String synced = beside(result, rows, SYNCED_REFERENCES);
        boolean waits = peer(result).survivesPowerCut().equals("yes");
        return waits && !synced.isEmpty() ? synced : beside(result, rows, REFERENCES);
    }

    private static String beside(Result result, List<Result> rows, List<Configuration> references) {
        return references.stream()
                .flatMap(reference -> rows.stream().filter(row -> peer(row) == reference))
                .filter(reference -> reference != result)
                .map(reference -> figure(result.rate() / reference.rate()) + " × " + title(reference))
                .collect(Collectors.joining("; "));
    }

    private static Configuration peer(Result result) {
        return result.peer().isEmpty() ? Configuration.TTL_STORE : Configuration.valueOf(result.peer());
    }

    private static String title(Result result) {
        return peer(result).title();
    }

    private void row(String... cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** With about three digits that mean something. */
    private static String figure(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }
}
