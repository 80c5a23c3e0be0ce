package dev.ttlstore.sqlite.crash;

/** What writes have to answer. */
final class Answers {

    private Answers() {}

    static void require(boolean right, String what) {
        if (!right) {
            throw new AssertionError("A wrong answer from " + what);
        }
    }
}
