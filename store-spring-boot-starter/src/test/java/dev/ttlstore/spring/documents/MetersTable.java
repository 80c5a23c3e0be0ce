package dev.ttlstore.spring.documents;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;

/** Makes the table of meters from those that are registered. */
final class MetersTable {

    /** Tags whose values are few and known. */
    private static final List<String> CLOSED = List.of("result", "cause", "resource", "outcome");

    private MetersTable() {}

    static String text(MeterRegistry registry) {
        Map<String, List<Meter.Id>> meters = registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith("store."))
                .collect(Collectors.groupingBy(Meter.Id::getName, TreeMap::new, Collectors.toList()));
        StringBuilder table = new StringBuilder("\n| Meter | Kind | Tags | Meaning |\n|---|---|---|---|\n");
        meters.forEach((name, ids) -> table.append("| `%s` | %s | %s | %s |\n"
                .formatted(
                        name,
                        kind(ids.get(0)),
                        tags(ids),
                        Objects.requireNonNull(ids.get(0).getDescription(), name))));
        return table.append('\n').toString();
    }

    private static String kind(Meter.Id id) {
        String unit = id.getBaseUnit();
        return switch (id.getType()) {
            case COUNTER -> "counter";
            case TIMER, LONG_TASK_TIMER -> "timer";
            case DISTRIBUTION_SUMMARY -> "distribution";
            default -> unit == null ? "gauge" : "gauge, " + unit;
        };
    }

    private static String tags(List<Meter.Id> ids) {
        Map<String, TreeSet<String>> values = new TreeMap<>();
        ids.forEach(id -> id.getTags().stream()
                .filter(tag -> !tag.getKey().equals("name"))
                .forEach((Tag tag) -> values.computeIfAbsent(tag.getKey(), key -> new TreeSet<>())
                        .add(tag.getValue())));
        return values.entrySet().stream()
                .map(tag -> "`" + tag.getKey() + "`"
                        + (CLOSED.contains(tag.getKey()) ? ": `" + String.join("`, `", tag.getValue()) + "`" : ""))
                .collect(Collectors.joining("; "));
    }
}
