package dev.ttlstore.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

class ProgressBarTests {

    private final StringWriter text = new StringWriter();
    private final AtomicLong nanos = new AtomicLong();

    private ProgressBar bar(int width) {
        return new ProgressBar(new PrintWriter(text), width, "rows", nanos::get);
    }

    private void pass(Duration time) {
        long unused = nanos.addAndGet(time.toNanos());
    }

    @Test
    void aTerminalShowsABarThatFitsItsWidth() {
        try (ProgressBar bar = bar(70)) {
            bar.show("Copying", 0, 1_000);
            bar.show("Copying", 1, 1_000); // too soon
            pass(Duration.ofSeconds(5));
            bar.show("Copying", 500, 1_000);
            pass(Duration.ofSeconds(5));
            bar.show("Copying", 1_000, 1_000);
        }
        String[] drawn = text.toString().strip().split("\r");
        assertThat(drawn)
                .hasSize(3)
                .allMatch(line -> line.length() == 69 || line.strip().equals(line));
        assertThat(drawn[1]).contains("50 %", "500 of 1,000 rows, 5 s left", "[====");
        assertThat(drawn[2]).contains("100 %").doesNotContain("left");
        assertThat(text.toString()).endsWith(System.lineSeparator());
    }

    @Test
    void elsewhereALineIsPrintedEveryTenSeconds() {
        try (ProgressBar bar = bar(0)) {
            for (int i = 0; i <= 25; i++) {
                bar.show("Copying", i, 25);
                pass(Duration.ofSeconds(1));
            }
        }
        assertThat(text.toString().lines())
                .hasSize(2)
                .first()
                .asString()
                .isEqualTo("Copying  40 %  10 of 25 rows, 15 s left");
    }

    @Test
    void quietMeansNothing() {
        try (ProgressBar bar = bar(ProgressBar.SILENT)) {
            bar.show("Copying", 1, 1);
        }
        assertThat(text.toString()).isEmpty();
    }

    @Test
    void aNarrowTerminalHasNoRoomForTheBar() {
        try (ProgressBar bar = bar(20)) {
            bar.show("Copying", 1, 2);
        }
        assertThat(text.toString().strip()).hasSizeLessThan(20).doesNotContain("[");
    }
}
