package dev.ttlstore.sample;

import java.time.Duration;
import java.util.Locale;

/** Figures as people say them. */
final class Words {

    private Words() {}

    /** In the largest unit of which there is one at least. */
    static String duration(Duration duration) {
        if (duration.toDays() > 0) {
            return duration.toDays() + " d";
        }
        if (duration.toHours() > 0) {
            return duration.toHours() + " h";
        }
        return duration.toMinutes() > 0 ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
    }

    static String bytes(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        return bytes < 1024 * 1024
                ? Math.round(bytes / 1024.0) + " KB"
                : String.format(Locale.ROOT, "%.1f MB", bytes / (1024.0 * 1024));
    }
}
