package dev.ttlstore.postgresql.campaign;

/** The names of groups and subscribers that the nodes write and the campaign checks. */
final class Names {

    static final String SCHEMA = "campaign";

    /** Numbered values under keys that one process writes; watched by all nodes. */
    static final String OWN = "own";

    /** What is moved between accounts; the sum stays. */
    static final String ACCOUNTS = "accounts";

    static final int ACCOUNT_COUNT = 10;

    static final long SUM = 0;

    /** How many transfers each process has made, counted in the same transactions. */
    static final String TRANSFERS = "transfers";

    /** Counters that all nodes increment. */
    static final String COUNTS = "counts";

    /** Entries that expire soon. */
    static final String BRIEF = "brief";

    static final String SUBSCRIBER = "handler";

    /** A scope with a quota. */
    static final String TENANT = "tenant";

    static final long MAX_KEYS = 50;

    static final long MAX_GROUPS = 3;

    /** What stands for a deletion among the values. */
    static final String ABSENT = "-";

    private Names() {}
}
