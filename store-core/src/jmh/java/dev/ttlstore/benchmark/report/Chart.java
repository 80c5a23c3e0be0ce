package dev.ttlstore.benchmark.report;

import java.util.List;

/**
 * A chart of horizontal bars.
 *
 * @param file the name of its file
 * @param title what it shows
 * @param unit what its numbers are
 * @param sections its parts, in their order
 * @param sharedScale whether bars of different parts can be compared; if not, the longest bar of each part is as long
 */
record Chart(String file, String title, String unit, List<Section> sections, boolean sharedScale) {

    /**
     * Bars under a title of their own.
     *
     * @param title the title; empty if the chart has only one section
     * @param bars the bars, in their order
     */
    record Section(String title, List<Bar> bars) {

        double max() {
            return bars.stream().mapToDouble(Bar::value).max().orElse(0);
        }
    }

    /**
     * A bar.
     *
     * @param label who
     * @param value how much
     * @param isOurs whether it is highlighted
     */
    record Bar(String label, double value, boolean isOurs) {}

    /** Whether there is something to compare us with, everywhere. */
    boolean isComplete() {
        return sections.stream()
                .map(Section::bars)
                .allMatch(bars -> bars.stream().anyMatch(Bar::isOurs) && bars.size() > 1);
    }
}
