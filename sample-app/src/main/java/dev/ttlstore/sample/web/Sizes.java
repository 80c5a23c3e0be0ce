package dev.ttlstore.sample.web;

import java.util.Locale;

/** Formats numbers of bytes for people. */
public final class Sizes {

    private static final long KB = 1024;
    private static final long MB = KB * KB;

    private Sizes() {}

    public static String of(long bytes) {
        if (bytes < KB) {
            return bytes + " bytes";
        }
        return bytes < MB ? scaled(bytes, KB) + " KB" : scaled(bytes, MB) + " MB";
    }

    private static String scaled(long bytes, long unit) {
        return bytes % unit == 0
                ? Long.toString(bytes / unit)
                : String.format(Locale.ROOT, "%.1f", (double) bytes / unit);
    }
}
