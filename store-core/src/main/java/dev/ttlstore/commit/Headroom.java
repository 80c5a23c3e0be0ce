package dev.ttlstore.commit;

/**
 * Makes a caller that is about to run out of stack do so here, where nothing has been begun, rather than in the middle of a
 * commit, on which others wait. What is asked for is more than a commit takes, and costs a hundredth of one.
 */
final class Headroom {

    private static final int FRAMES = 256;

    private Headroom() {}

    /** Throws the {@link StackOverflowError} that would come later. */
    static void require() {
        if (descend(FRAMES, 1, 2, 3, 4) == 0) {
            throw new AssertionError(
                    "A sum of positive numbers is more than zero"); // the result is used, so the calls stay
        }
    }

    private static long descend(int frames, long a, long b, long c, long d) {
        return frames == 0 ? a + b + c + d : descend(frames - 1, b, c, d, a) + a + b + c + d;
    }
}
