package dev.ttlstore.spring.autoconfigure;

import java.util.stream.IntStream;

/** Measures how similar two names are. */
final class Spelling {

    private Spelling() {}

    /**
     * Returns whether one name may be a misspelling of the other: it differs by one character, or by at most a
     * quarter of them.
     */
    static boolean isNear(String given, String known) {
        return isNear(distance(given, known), known.length());
    }

    /** Returns the same for a distance and the length of the known name. */
    static boolean isNear(int distance, int length) {
        return distance <= Math.max(1, length / 4);
    }

    /** Returns the Levenshtein distance: the number of characters to add, remove or replace. */
    static int distance(String one, String other) {
        int[] row = IntStream.rangeClosed(0, other.length()).toArray();
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
