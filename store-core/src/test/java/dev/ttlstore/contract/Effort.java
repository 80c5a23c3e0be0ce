package dev.ttlstore.contract;

/**
 * How far tests go that can go on for any time: briefly in each build, and further if the system property {@code
 * ttl-store.test.thorough} is true, as with {@code -Pthorough}.
 */
public final class Effort {

    private static final boolean THOROUGH = Boolean.getBoolean("ttl-store.test.thorough");

    private Effort() {}

    /**
     * Chooses how many rounds, steps or entries a test has.
     *
     * @param brief how many there are in each build
     * @param thorough how many there are in a thorough one
     * @return one of the two
     */
    public static int of(int brief, int thorough) {
        return THOROUGH ? thorough : brief;
    }
}
