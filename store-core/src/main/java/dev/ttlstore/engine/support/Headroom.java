package dev.ttlstore.engine.support;

import org.jspecify.annotations.Nullable;

/**
 * Makes a caller that is about to run out of stack or memory fail early: before it has started anything, instead of in the
 * middle of work that others wait for, or within a driver, whose state cannot be repaired.
 *
 * @since 0.1
 */
public final class Headroom {

    /**
     * The depth of the probe. A frame with this many parameters takes about 530 bytes, mostly for parameters that do
     * not fit into registers, so 16 frames take more than 8 KiB. A commit was measured to take 5.5 KiB. A few large
     * frames cost an eighth of many small ones.
     */
    private static final int FRAMES = 16;

    /** More than the driver of a database takes to prepare a statement. */
    private static final int BYTES = 64 * 1024;

    /** Holds the probe for a moment, or the JIT could remove it. */
    @SuppressWarnings("unused")
    private static volatile byte @Nullable [] probe;

    private Headroom() {}

    /**
     * Throws the {@link OutOfMemoryError} that would come later. Another thread may take the room meanwhile, so this makes such an
     * error rare where it would do harm, but does not exclude it. Takes some microseconds.
     */
    public static void requireMemory() {
        probe = new byte[BYTES];
        probe = null;
    }

    /**
     * Throws the {@link StackOverflowError} that would come later. Takes a third of a microsecond, so it is not for
     * reads.
     */
    // spotless:off
    public static void require() {
        if (descend(FRAMES,
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32) == 0) {
            throw new AssertionError("The answer is positive"); // uses the result, or the JIT could remove the calls
        }
    }

    private static long descend(int frames,
            long a, long b, long c, long d, long e, long f, long g, long h,
            long i, long j, long k, long l, long m, long n, long o, long p,
            long q, long r, long s, long t, long u, long v, long w, long x,
            long y, long z, long aa, long bb, long cc, long dd, long ee, long ff) {
        return frames == 0 ? a : descend(frames - 1,
                b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q,
                r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee, ff,
                a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p
                + q + r + s + t + u + v + w + x + y + z + aa + bb + cc + dd + ee + ff);
    }
    // spotless:on
}
