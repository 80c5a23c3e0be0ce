package dev.ttlstore.benchmark.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import dev.ttlstore.benchmark.report.Chart.Bar;
import dev.ttlstore.benchmark.report.Chart.Section;

/**
 * Draws a chart as a file that needs nothing else: no script, no font, no style sheet. It brings its own background, so
 * that it can be read on light and dark pages.
 */
final class Svg {

    private static final int WIDTH = 760;
    private static final int MARGIN = 20;
    private static final int BARS = 236;
    private static final int LONGEST = 420;
    private static final int ROW = 26;
    private static final int BAR = 16;

    private static final String PAPER = "#f6f8fa";
    private static final String INK = "#24292f";
    private static final String FADED = "#57606a";
    private static final String OURS = "#0969da";
    private static final String OTHERS = "#afb8c1";

    private final Chart chart;
    private final StringBuilder body = new StringBuilder();
    private int y = 34;

    private Svg(Chart chart) {
        this.chart = chart;
    }

    static String of(Chart chart) {
        return new Svg(chart).draw();
    }

    private String draw() {
        text(MARGIN, INK, "font-size=\"17\" font-weight=\"600\"", chart.title());
        y += 20;
        text(MARGIN, FADED, "font-size=\"12\"", chart.unit());
        y += 14;
        double max = chart.sections().stream().mapToDouble(Section::max).max().orElse(0);
        for (Section section : chart.sections()) {
            if (!section.title().isEmpty()) {
                y += 32;
                text(MARGIN, INK, "font-size=\"13\" font-weight=\"600\"", section.title());
                y += 4;
            }
            for (Bar bar : section.bars()) {
                bar(bar, chart.sharedScale() ? max : section.max());
            }
        }
        return head(y + 20) + body + "</svg>\n";
    }

    private String head(int height) {
        return """
                <svg xmlns="http://www.w3.org/2000/svg" role="img" width="%d" height="%d" viewBox="0 0 %d %d" \
                font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif">
                <title>%s</title>
                <desc>%s</desc>
                <rect width="%d" height="%d" rx="8" fill="%s"/>
                """.formatted(
                WIDTH, height, WIDTH, height, escape(chart.title()), escape(description()), WIDTH, height, PAPER);
    }

    /** The chart for those who do not see it. */
    private String description() {
        return chart.unit() + ". " + chart.sections().stream().map(Svg::words).collect(Collectors.joining(" "));
    }

    private static String words(Section section) {
        String title = section.title().isEmpty() ? "" : section.title() + ": ";
        List<String> bars = section.bars().stream()
                .map(bar -> bar.label() + " " + figure(bar.value()))
                .toList();
        return title + String.join("; ", bars) + ".";
    }

    private void bar(Bar bar, double max) {
        y += ROW;
        String weight = bar.isOurs() ? " font-weight=\"600\"" : "";
        double length = max > 0 ? bar.value() / max * LONGEST : 0;
        text(BARS - 8, INK, "font-size=\"13\" text-anchor=\"end\"" + weight, bar.label());
        body.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                BARS,
                y - BAR + 3,
                length,
                BAR,
                bar.isOurs() ? OURS : OTHERS));
        text(BARS + (int) Math.round(length) + 6, INK, "font-size=\"13\"" + weight, figure(bar.value()));
    }

    private void text(int x, String colour, String attributes, String text) {
        body.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" fill=\"%s\" %s>%s</text>\n",
                x,
                y,
                colour,
                attributes,
                escape(text)));
    }

    /** With three digits: more would not come out the same twice. */
    private static String figure(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).round(new MathContext(3));
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f", rounded);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
