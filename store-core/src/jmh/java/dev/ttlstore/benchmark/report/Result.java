package dev.ttlstore.benchmark.report;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.google.gson.annotations.SerializedName;

/** A measurement in JMH's file, as far as the report needs it. Public fields for Gson. */
final class Result {

    private static final String PEER = "peer";
    private static final String ROWS = "rows";

    private String benchmark = "";
    private Map<String, String> params = Map.of();
    private Metric primaryMetric = new Metric();
    private Map<String, Metric> secondaryMetrics = Map.of();

    /** What was measured in the forks and their iterations. */
    private static final class Metric {

        private String scoreUnit = "";

        @SerializedName("rawData")
        private double[][] forks = new double[0][];

        double median() {
            double[] all = Arrays.stream(forks)
                    .flatMapToDouble(Arrays::stream)
                    .sorted()
                    .toArray();
            if (all.length == 0) {
                return Double.NaN;
            }
            int middle = all.length / 2;
            return all.length % 2 == 1 ? all[middle] : (all[middle - 1] + all[middle]) / 2;
        }

        /** These iterations and others. */
        Metric with(Metric other) {
            Metric both = new Metric();
            both.scoreUnit = scoreUnit;
            both.forks = Stream.of(forks, other.forks).flatMap(Arrays::stream).toArray(double[][]::new);
            return both;
        }

        double max() {
            return Arrays.stream(forks).flatMapToDouble(Arrays::stream).max().orElse(Double.NaN);
        }
    }

    /** The same with the iterations of another run of it. */
    Result with(Result other) {
        Result both = new Result();
        both.benchmark = benchmark;
        both.params = params;
        both.primaryMetric = primaryMetric.with(other.primaryMetric);
        Map<String, Metric> secondary = new HashMap<>(secondaryMetrics);
        other.secondaryMetrics.forEach((name, metric) -> secondary.merge(name, metric, Metric::with));
        both.secondaryMetrics = secondary;
        return both;
    }

    /** The class and the method, without the package. */
    String name() {
        int method = benchmark.lastIndexOf('.');
        return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
    }

    /** The peer's configuration; empty if there is no choice. */
    String peer() {
        return params().getOrDefault(PEER, "");
    }

    /** The parameters, as they are in the file. */
    Map<String, String> params() {
        return params == null ? Map.of() : params; // left out of the file where there are none
    }

    /** The parameters that are not the peer, for people. */
    List<String> variant() {
        return params().entrySet().stream()
                .filter(param -> !param.getKey().equals(PEER))
                .map(param -> param.getKey() + " = " + param.getValue())
                .sorted()
                .toList();
    }

    /** How much is done in a second: of operations or, if one operation handles many rows, of rows. */
    double rate() {
        double median = primaryMetric.median();
        String unit = primaryMetric.scoreUnit;
        if (unit.equals("ops/s")) {
            return median;
        }
        return Double.parseDouble(params().getOrDefault(ROWS, "1")) / (median * seconds(unit));
    }

    /** How long an operation takes on the average. */
    double seconds() {
        return primaryMetric.scoreUnit.equals("ops/s")
                ? 1 / primaryMetric.median()
                : primaryMetric.median() * seconds(primaryMetric.scoreUnit);
    }

    private static double seconds(String unit) {
        return switch (unit) {
            case "s/op" -> 1;
            case "ms/op" -> 1e-3;
            case "us/op" -> 1e-6;
            default -> throw new IllegalArgumentException("The unit " + unit + " is not known to the report");
        };
    }

    /** Whether each single operation was measured, too. */
    boolean hasLatencies() {
        return secondaryMetrics.containsKey("maxMicros");
    }

    /** The median of something counted beside; of the longest times, the longest. */
    double counter(String name) {
        Metric metric = secondaryMetrics.get(name);
        if (metric == null) {
            return Double.NaN;
        }
        return name.startsWith("max") ? metric.max() : metric.median();
    }
}
