package dev.ttlstore.sqlite.crash;

/** What is known of an entry that was put to expire: when it does, and whether it has to be told. */
final class Expiring {

    private final String key;
    private final long number;
    private long earliest;
    private long latest;
    private Fate fate = Fate.TOLD;

    /** Whether its expiry has to be told. */
    enum Fate {
        TOLD,
        PERHAPS_TOLD,
        NOT_TOLD
    }

    /**
     * An entry that was put between two times.
     *
     * @param put the put
     * @param begun when it began, in milliseconds since the epoch
     * @param ended when it was done
     */
    Expiring(ExpiryChange put, long begun, long ended) {
        this.key = put.key();
        this.number = put.number();
        this.earliest = begun + put.ttl();
        this.latest = ended + put.ttl();
    }

    String key() {
        return key;
    }

    Fate fate() {
        return fate;
    }

    void become(Fate other) {
        fate = other;
    }

    /** It was given another expiry. */
    void renewed(ExpiryChange renewal, long begun, long ended) {
        earliest = begun + renewal.ttl();
        latest = ended + renewal.ttl();
    }

    /** It was perhaps given another expiry. */
    void perhapsRenewed(ExpiryChange renewal, long begun, long ended) {
        earliest = Math.min(earliest, begun + renewal.ttl());
        latest = Math.max(latest, ended + renewal.ttl());
    }

    boolean hasExpiredBy(long time) {
        return latest <= time;
    }

    boolean isLiveAt(long time) {
        return time < earliest;
    }

    boolean mayExpireAt(long time) {
        return earliest <= time && time <= latest;
    }

    /** It was removed or replaced between two times, without a word on whether it had expired. */
    void removed(long begun, long ended) {
        if (isLiveAt(ended)) {
            fate = Fate.NOT_TOLD;
        } else if (!hasExpiredBy(begun)) {
            fate = Fate.PERHAPS_TOLD;
        }
    }

    /** The same, if it was at all. */
    void perhapsRemoved(long begun) {
        if (!hasExpiredBy(begun)) {
            fate = Fate.PERHAPS_TOLD;
        }
    }

    @Override
    public String toString() {
        return "entry " + number + " under '" + key + "', which expires between " + earliest + " and " + latest
                + " and is " + fate;
    }
}
