package dev.ttlstore.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Prints a report in Markdown of files that JMH has written with {@code -rf json}. With {@code --charts} and a folder before
 * them, it draws charts into that folder instead.
 */
public final class Report {

    private static final String CHARTS = "--charts";

    private Report() {}

    /** Reads the files that are named and prints the report or draws the charts. */
    public static void main(String[] args) throws IOException {
        List<String> files = new ArrayList<>(Arrays.asList(args));
        boolean charts = !files.isEmpty() && files.get(0).equals(CHARTS);
        if (charts && files.size() < 3) {
            throw new IllegalArgumentException("Name a folder and result files after " + CHARTS);
        }
        Results results = new Results();
        for (String file : charts ? files.subList(2, files.size()) : files) {
            results.add(Path.of(file));
        }
        if (charts) {
            draw(results, Path.of(files.get(1)));
        } else {
            System.out.print(new Markdown(results).text());
        }
    }

    private static void draw(Results results, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Chart chart : new Charts(results).all()) {
            Path file = folder.resolve(chart.file());
            if (chart.isComplete()) {
                Files.writeString(file, Svg.of(chart));
                System.out.println(file);
            } else {
                System.out.println(file + " is not drawn: results are missing");
            }
        }
    }
}
