package dev.ttlstore.sqlite.crash;

/** After which step of an expiry's way to its handler a process comes to its end. */
enum HaltingStep {
    EXPIRED(0, true, 1),
    FOUND_AND_NOT_COMMITTED(0, true, 1),
    RECORDED(0, false, 1),
    IN_THE_HANDLER(1, false, 1),
    RETURNED_AND_NOT_ACKNOWLEDGED(1, false, 1),
    ACKNOWLEDGED(1, false, 0);

    private final int callsBefore;
    private final boolean entryLeft;
    private final int callsAfter;

    HaltingStep(int callsBefore, boolean entryLeft, int callsAfter) {
        this.callsBefore = callsBefore;
        this.entryLeft = entryLeft;
        this.callsAfter = callsAfter;
    }

    /** How often the handler was called before the end. */
    int callsBefore() {
        return callsBefore;
    }

    /** Whether the entry is still in the file, though expired. */
    boolean isEntryLeft() {
        return entryLeft;
    }

    /** How often the handler is called by the next process. */
    int callsAfter() {
        return callsAfter;
    }
}
