package dev.ttlstore.engine;

/**
 * Makes a caller that is about to run out of stack do so before anything has been begun, rather than in the middle of work on
 * which others wait, or within a driver, whose state nobody can put right.
 */
public final class Headroom {

    /** With the 48 bytes at least that a frame takes, 12 KiB: about twice what a commit was seen to take. */
    private static final int FRAMES = 256;

    private Headroom() {}

    /**
     * Throws the {@link StackOverflowError} that would come later. This takes about a microsecond, so it is not for reads.
     */
    public static void require() {
        if (descend(FRAMES, 1, 2, 3, 4) == 0) {
            throw new AssertionError("The sum is positive"); // the sum is used, or the calls could be left out
        }
    }

    private static long descend(int frames, long a, long b, long c, long d) {
        return frames == 0 ? a + b + c + d : descend(frames - 1, b, c, d, a) + a + b + c + d;
    }
}
