package dev.ttlstore.benchmark.report;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import com.google.gson.Gson;

/** All that was measured, of several files; where two have the same, their iterations count together. */
final class Results {

    /** Meant where a goal or a chart does not say how much data there is. */
    private static final Map<String, String> USUAL = Map.of("entries", "200000", "valueSize", "100", "hot", "2000");

    private final Map<String, Result> results = new LinkedHashMap<>();

    void add(Path file) throws IOException {
        try (Reader reader = Files.newBufferedReader(file)) {
            for (Result result : new Gson().fromJson(reader, Result[].class)) {
                results.merge(result.name() + result.peer() + result.variant(), result, Result::with);
            }
        }
    }

    Collection<Result> all() {
        return results.values();
    }

    /** The results of each benchmark with the same parameters but for the peer, in the order in which they were measured. */
    Map<String, List<Result>> tables() {
        Map<String, List<Result>> tables = new LinkedHashMap<>();
        for (Result result : results.values()) {
            String title = result.name()
                    + (result.variant().isEmpty() ? "" : " (" + String.join(", ", result.variant()) + ")");
            tables.computeIfAbsent(title, t -> new ArrayList<>()).add(result);
        }
        return tables;
    }

    /** The rate of a benchmark; empty if it is missing. */
    OptionalDouble rate(String name, String... params) {
        return find(name, params).stream().mapToDouble(Result::rate).findFirst();
    }

    /** The time of an operation; empty if it is missing. */
    OptionalDouble seconds(String name, String... params) {
        return find(name, params).stream().mapToDouble(Result::seconds).findFirst();
    }

    /** Something counted beside; empty if it is missing. */
    OptionalDouble counter(String counter, String name, String... params) {
        return find(name, params).stream()
                .mapToDouble(result -> result.counter(counter))
                .filter(Double::isFinite)
                .findFirst();
    }

    /** The results of a benchmark with the usual amount of data, for all peers. */
    List<Result> usual(String name) {
        return find(name);
    }

    private List<Result> find(String name, String... params) {
        Map<String, String> wanted = new LinkedHashMap<>(USUAL);
        for (String param : params) {
            int equals = param.indexOf('=');
            wanted.put(param.substring(0, equals), param.substring(equals + 1));
        }
        return results.values().stream()
                .filter(result -> result.name().equals(name))
                .filter(result -> wanted.entrySet().stream().allMatch(param -> result.params()
                        .getOrDefault(param.getKey(), param.getValue())
                        .equals(param.getValue())))
                .toList();
    }
}
