package dev.ttlstore.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

import dev.ttlstore.export.TransferProgress;

/**
 * Shows how far a command is: on a terminal a bar that is drawn again some times per second, elsewhere a line every ten seconds. Used
 * by one thread.
 */
final class ProgressBar implements AutoCloseable {

    /** The width of no output at all. */
    static final int SILENT = -1;

    private static final long UNKNOWN = Long.MAX_VALUE;

    private static final long REDRAW_NANOS = Duration.ofMillis(200).toNanos();
    private static final long LINE_NANOS = Duration.ofSeconds(10).toNanos();

    private final PrintWriter out;
    private final int width;
    private final String unit;
    private final LongSupplier nanoTime;

    private String phase = "";
    private long drawn;
    private long begun;
    private boolean open;

    /**
     * Creates a bar, which is shown when the first progress comes.
     *
     * @param width the width of the terminal; 0 if there is none, {@link #SILENT} to show nothing
     * @param unit what is counted
     */
    ProgressBar(PrintWriter out, int width, String unit, LongSupplier nanoTime) {
        this.out = out;
        this.width = width;
        this.unit = unit;
        this.nanoTime = nanoTime;
    }

    /** Shows how much is done, if it is time. */
    void show(String nextPhase, long done, long total) {
        if (width == SILENT) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (!nextPhase.equals(phase)) {
            end();
            phase = nextPhase;
            begun = now;
            drawn = now - (width > 0 ? REDRAW_NANOS : 0);
        }
        boolean last = done >= total && width > 0;
        if (last || now - drawn >= (width > 0 ? REDRAW_NANOS : LINE_NANOS)) {
            drawn = now;
            draw(done, total, Duration.ofNanos(now - begun));
        }
    }

    /** Shows how much is done of what nobody has counted, if it is time. */
    void show(String nextPhase, long done) {
        show(nextPhase, done, UNKNOWN);
    }

    /** Shows how far an export or an import is, if it is time. */
    void show(TransferProgress progress) {
        String next = progress.phase().name().toLowerCase(Locale.ROOT);
        show(next.substring(0, 1).toUpperCase(Locale.ROOT) + next.substring(1), progress.done(), progress.total());
    }

    private void draw(long done, long total, Duration elapsed) {
        if (total == UNKNOWN) {
            print(String.format(Locale.ROOT, "%s  %,d %s", phase, done, unit));
            return;
        }
        double part = total <= 0 ? 1 : Math.min(1, (double) done / total);
        String percent = String.format(Locale.ROOT, "%3d %%", (int) (part * 100));
        String count = String.format(Locale.ROOT, "%,d of %,d %s", done, total, unit) + left(part, elapsed);
        int room = width - phase.length() - percent.length() - count.length() - 8;
        String bar =
                room < 5 ? "" : "[" + "=".repeat((int) (part * room)) + " ".repeat(room - (int) (part * room)) + "] ";
        print(phase + " " + bar + percent + "  " + count);
    }

    private void print(String line) {
        if (width == 0) {
            out.println(line);
            out.flush();
            return;
        }
        out.print("\r"
                + (line.length() >= width
                        ? line.substring(0, width - 1)
                        : line + " ".repeat(width - 1 - line.length())));
        out.flush();
        open = true;
    }

    private static String left(double part, Duration elapsed) {
        if (part <= 0 || part >= 1 || elapsed.toSeconds() < 2) {
            return "";
        }
        return String.format(Locale.ROOT, ", %,d s left", Math.round(elapsed.toMillis() / 1000.0 * (1 - part) / part));
    }

    /** Ends the line of the bar, before something else is printed. */
    void end() {
        if (open) {
            out.println();
            out.flush();
            open = false;
        }
    }

    @Override
    public void close() {
        end();
    }
}
