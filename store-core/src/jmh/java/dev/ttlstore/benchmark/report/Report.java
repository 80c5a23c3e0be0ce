package dev.ttlstore.benchmark.report;

import java.io.IOException;
import java.nio.file.Path;

/** Prints a report in Markdown of files that JMH has written with {@code -rf json}. */
public final class Report {

    private Report() {}

    /** Reads the files that are named and prints the report. */
    public static void main(String[] files) throws IOException {
        Results results = new Results();
        for (String file : files) {
            results.add(Path.of(file));
        }
        System.out.print(new Markdown(results).text());
    }
}
