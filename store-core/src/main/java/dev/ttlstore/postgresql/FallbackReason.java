package dev.ttlstore.postgresql;

/** Why a batch is not decided in the server, but by this node under locks. */
enum FallbackReason {
    /** The server has no function for it, or another one. */
    FUNCTION("function", 0),

    /** The tables are distributed and there are several operations, or nodes of an earlier version may use them, which know other locks. */
    TABLES("tables", 0),

    /** Code of callers has a say, or the batch is none of requests. */
    CODE("caller-code", 0),

    /** An operation brings its own times, or the clock was far ahead once. */
    TIMES("times", 0),

    /** It is larger than what goes to the server, or is logged there, in one piece. */
    SIZE("size", 0),

    /** It has so many operations, and the server is so near, that deciding them here takes less time in all. */
    NEARBY("nearby", 0),

    /** The role's transactions are not what the function needs. */
    ROLE("role", 1),

    /** A slot has no row; the locks say which. */
    SLOT("slot", 2),

    /** The call comes so late that its outcome may have been looked up. */
    LATE("late", 3),

    /** The server is another one, or was started again. */
    SERVER("server", 4),

    /** The server's clock is far from what this node knows of it. */
    CLOCK("clock", 5),

    /** A row has expired, and somebody asks for that. */
    EXPIRY("expiry", 6),

    /** A quota may be exceeded. */
    QUOTA("quota", 7),

    /** A value that is loaded is too large. */
    VALUE("value", 8),

    /** A value that is added to, or that must be a text, may not be one. */
    FORM("form", 9),

    /** The function is that of another version, and does not know an operation, or gives another reason. */
    UNKNOWN("unknown", 10);

    private final String label;
    private final int code;

    FallbackReason(String label, int code) {
        this.label = label;
        this.code = code;
    }

    /** Returns its name in statistics. */
    String label() {
        return label;
    }

    /** Returns the reason with a number that the function has returned. */
    static FallbackReason of(int code) {
        for (FallbackReason reason : values()) {
            if (reason.code == code && code > 0) {
                return reason;
            }
        }
        return UNKNOWN; // of a later version; nothing was done
    }
}
