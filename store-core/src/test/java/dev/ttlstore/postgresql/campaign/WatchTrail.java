package dev.ttlstore.postgresql.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedSet;

import org.jspecify.annotations.Nullable;

/** What the watch of a process has seen: the sequences in order, and where it reported gaps. Not thread-safe. */
final class WatchTrail {

    private static final long GAP = -1;

    private final String process;
    private final List<Long> fresh = new ArrayList<>();
    private @Nullable Long from;
    private @Nullable Long last;
    private boolean gap;
    private long gaps;

    WatchTrail(String process) {
        this.process = process;
    }

    /** The watch must see the change with this sequence, and everything after it. */
    void from(long sequence) {
        from = sequence;
    }

    void seen(long sequence) {
        fresh.add(sequence);
    }

    void gap() {
        fresh.add(GAP);
        gaps++;
    }

    long gaps() {
        return gaps;
    }

    /** Tests whether it has come to a sequence. */
    boolean hasReached(long sequence) {
        for (int i = fresh.size() - 1; i >= 0; i--) {
            if (fresh.get(i) != GAP) {
                return fresh.get(i) >= sequence;
            }
        }
        return last != null && last >= sequence;
    }

    /**
     * Compares what was seen since the last call with all changes since then.
     *
     * @param truth the sequences of all changes since the last call
     * @param faults gets what is wrong
     */
    void check(NavigableSet<Long> truth, List<String> faults) {
        Long before = last;
        for (long sequence : fresh) {
            if (sequence == GAP) {
                gap = true;
                continue;
            }
            if (before != null && sequence <= before) {
                faults.add(process + " saw the change " + sequence + " after " + before);
            }
            if (!truth.contains(sequence)) {
                faults.add(process + " saw the change " + sequence + ", which is not in the log");
            }
            if (!gap) {
                missing(before, sequence, truth, faults);
            }
            gap = false;
            before = sequence;
        }
        last = before;
        fresh.clear();
    }

    private void missing(@Nullable Long before, long sequence, NavigableSet<Long> truth, List<String> faults) {
        Long begin = before;
        if (begin == null) {
            if (from == null || from >= sequence) {
                return;
            }
            begin = from - 1;
        }
        if (begin < sequence) {
            SortedSet<Long> missed = truth.subSet(begin, false, sequence, false);
            if (!missed.isEmpty()) {
                faults.add(process + "'s watch has missed without a gap, before " + sequence + ": " + missed.size()
                        + " changes from " + missed.first() + " to " + missed.last());
            }
        }
    }
}
