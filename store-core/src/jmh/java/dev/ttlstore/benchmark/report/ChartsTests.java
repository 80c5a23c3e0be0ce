package dev.ttlstore.benchmark.report;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import dev.ttlstore.benchmark.report.Chart.Bar;
import dev.ttlstore.benchmark.report.Chart.Section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

/** Charts show what the results say, and nothing else. */
class ChartsTests {

    private static final String PUT = "dev.ttlstore.benchmark.Put.overwrite";

    @Test
    void barsHaveTheMediansOfTheResultsAndTheLongestComesFirst(@TempDir Path folder) throws IOException {
        Chart chart = chart(
                "put.svg",
                folder,
                result(PUT, "SQLITE", 200_000, 11_000, 12_000, 13_000),
                result(PUT, "TTL_STORE", 200_000, 30_000, 20_000, 40_000));

        assertThat(chart.sections()).hasSize(1);
        assertThat(chart.sections().get(0).bars())
                .containsExactly(
                        new Bar("TTL Store", 30_000, true), new Bar("SQLite, synchronous=NORMAL", 12_000, false));
    }

    @Test
    void putsAreComparedWithPutsThatPromiseTheSame(@TempDir Path folder) throws IOException {
        String[] results = {
            result(PUT, "TTL_STORE", 200_000, 30_000),
            result(PUT, "TTL_STORE_FULL", 200_000, 5_000),
            result(PUT, "PLAIN", 200_000, 11_000),
            result(PUT, "PLAIN_FULL", 200_000, 3_000),
            result(PUT, "CAFFEINE", 200_000, 800_000)
        };

        assertThat(labels(chart("put.svg", folder, results))).containsExactly("TTL Store", "SQLite, one plain table");
        assertThat(labels(chart("put-full.svg", folder, results)))
                .containsExactly("TTL Store, FULL", "SQLite, one plain table, FULL");
    }

    @Test
    void iterationsOfSeveralFilesCountTogether(@TempDir Path folder) throws IOException {
        Results results = new Results();
        results.add(write(folder, result(PUT, "TTL_STORE", 200_000, 10_000, 11_000, 12_000)));
        results.add(write(folder, result(PUT, "TTL_STORE", 200_000, 30_000, 40_000)));

        assertThat(results.rate("Put.overwrite", "peer=TTL_STORE")).hasValue(12_000);
    }

    @Test
    void resultsWithAnotherAmountOfDataAreNotShown(@TempDir Path folder) throws IOException {
        Chart chart = chart(
                "put.svg", folder, result(PUT, "TTL_STORE", 200_000, 30_000), result(PUT, "SQLITE", 2_000, 12_000));

        assertThat(labels(chart)).containsExactly("TTL Store");
        assertThat(chart.isComplete()).isFalse();
    }

    @Test
    void reportDrawsWhatIsThereAndLeavesOutTheRest(@TempDir Path folder) throws IOException {
        Path results = write(folder, result(PUT, "TTL_STORE", 200_000, 30_000), result(PUT, "SQLITE", 200_000, 12_000));
        Path charts = folder.resolve("charts");

        Report.main(new String[] {"--charts", charts.toString(), results.toString()});

        assertThat(charts).isDirectoryContaining("glob:**/put.svg").isDirectoryNotContaining("glob:**/get.svg");
    }

    @Test
    void reportRefusesChartsWithoutResults(@TempDir Path folder) {
        String[] args = {"--charts", folder.toString()};

        assertThatThrownBy(() -> Report.main(args)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lengthsOfBarsAreInProportion() throws Exception {
        NodeList rectangles = svg(twoSections(true)).getElementsByTagName("rect");

        // The first one is the background.
        assertThat(width(rectangles, 2)).isCloseTo(width(rectangles, 1) / 2, within(0.1));
        assertThat(width(rectangles, 3)).isCloseTo(width(rectangles, 1) / 10, within(0.1));
    }

    @Test
    void sectionsCanHaveScalesOfTheirOwn() throws Exception {
        NodeList rectangles = svg(twoSections(false)).getElementsByTagName("rect");

        assertThat(width(rectangles, 3)).isEqualTo(width(rectangles, 1));
    }

    @Test
    void oursHaveAColourThatNobodyElseHas() throws Exception {
        NodeList rectangles = svg(twoSections(true)).getElementsByTagName("rect");

        assertThat(colour(rectangles, 1)).isEqualTo(colour(rectangles, 3)).isNotEqualTo(colour(rectangles, 2));
    }

    @Test
    void fileNeedsNothingElseAndCanBeReadAloud() throws Exception {
        String text = Svg.of(twoSections(true));
        Element svg = svg(twoSections(true));

        assertThat(text).doesNotContain("<script", "href", "url(", "<style");
        assertThat(svg.getAttribute("role")).isEqualTo("img");
        assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("Title & more");
        assertThat(svg.getElementsByTagName("desc").item(0).getTextContent())
                .isEqualTo("Puts per second. One: Ours 12,300; <Theirs> 6,170. Two: Ours 1,230; Theirs 617.");
    }

    private static Chart twoSections(boolean sharedScale) {
        return new Chart(
                "file.svg",
                "Title & more",
                "Puts per second",
                List.of(
                        new Section("One", List.of(new Bar("Ours", 12_345, true), new Bar("<Theirs>", 6_172.5, false))),
                        new Section("Two", List.of(new Bar("Ours", 1_234.5, true), new Bar("Theirs", 617, false)))),
                sharedScale);
    }

    private static Element svg(Chart chart) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Svg.of(chart))))
                .getDocumentElement();
    }

    private static double width(NodeList rectangles, int index) {
        return Double.parseDouble(((Element) rectangles.item(index)).getAttribute("width"));
    }

    private static String colour(NodeList rectangles, int index) {
        return ((Element) rectangles.item(index)).getAttribute("fill");
    }

    private static List<String> labels(Chart chart) {
        return chart.sections().stream()
                .flatMap(section -> section.bars().stream())
                .map(Bar::label)
                .toList();
    }

    private static Chart chart(String file, Path folder, String... entries) throws IOException {
        Results results = new Results();
        results.add(write(folder, entries));
        return new Charts(results)
                .all().stream()
                        .filter(chart -> chart.file().equals(file))
                        .findFirst()
                        .orElseThrow();
    }

    private static Path write(Path folder, String... entries) throws IOException {
        return Files.writeString(folder.resolve("results.json"), "[" + String.join(",", entries) + "]");
    }

    private static String result(String benchmark, String peer, int entries, double... rates) {
        StringBuilder list = new StringBuilder();
        for (double rate : rates) {
            list.append(list.isEmpty() ? "" : ", ").append(String.format(Locale.ROOT, "%.1f", rate));
        }
        return """
                {"benchmark": "%s",
                 "params": {"peer": "%s", "entries": "%d", "valueSize": "100"},
                 "primaryMetric": {"scoreUnit": "ops/s", "rawData": [[%s]]}}
                """.formatted(benchmark, peer, entries, list);
    }
}
