package dev.ttlstore.sqlite.crash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.ttlstore.sqlite.crash.Expiring.Fate;

/**
 * What processes have said of entries and handlers before they were killed, and what follows from it. A change that was under
 * way at a kill may have happened or not.
 */
final class ExpiryLedger {

    private final Map<Long, Expiring> entries = new HashMap<>();
    private final Map<String, Standing> standing = new HashMap<>();
    private final Map<String, Begun> begun = new HashMap<>();
    private final Map<String, SubscriberCalls> calls = new HashMap<>();
    private int round;

    /**
     * What stands under a key.
     *
     * @param entries the entries of which one does
     * @param certain whether one does indeed, though it may have expired
     */
    private record Standing(List<Expiring> entries, boolean certain) {
        boolean isOneForCertain() {
            return certain && entries.size() == 1;
        }
    }

    /** Changes that were begun at a time. */
    private record Begun(List<ExpiryChange> changes, long time) {}

    ExpiryLedger() {
        calls.put(ExpiringProgram.MAIL, new SubscriberCalls(ExpiringProgram.MAIL));
        calls.put(ExpiringProgram.FLAKY, new SubscriberCalls(ExpiringProgram.FLAKY));
    }

    /** Takes note of a line, and tells the word that it began with; lines that the kill has cut off are not there. */
    String note(String line) {
        if (!line.endsWith(CrashingProgram.END)) {
            return "";
        }
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case CrashingProgram.WRONG -> throw new AssertionError("The process says: " + line);
            case ExpiringProgram.BEGIN -> begin(words);
            case ExpiringProgram.DONE -> done(words);
            case TellingHandler.CALL -> of(words[1]).called(round, HandlerCall.heard(words));
            case TellingHandler.RETURN -> of(words[1]).returned(round, Long.parseLong(words[3]));
            default -> throw new AssertionError("What is this? " + line);
        }
        return words[0];
    }

    private SubscriberCalls of(String subscriber) {
        return calls.computeIfAbsent(subscriber, name -> {
            throw new AssertionError("Nobody has subscribed as " + name);
        });
    }

    private void begin(String[] words) {
        List<ExpiryChange> changes =
                Arrays.stream(words[3].split(";", -1)).map(ExpiryChange::heard).toList();
        begun.put(words[1], new Begun(changes, Long.parseLong(words[2])));
    }

    private void done(String[] words) {
        Begun step = begun.remove(words[1]);
        if (step == null) {
            throw new AssertionError("Something is done that was not begun: " + List.of(words));
        }
        String[] answers = words[3].split(";", -1);
        for (int i = 0; i < answers.length; i++) {
            done(step.changes().get(i), step.time(), Long.parseLong(words[2]), Boolean.parseBoolean(answers[i]));
        }
    }

    private void done(ExpiryChange change, long from, long to, boolean found) {
        Standing before = standing.getOrDefault(change.key(), new Standing(List.of(), true));
        switch (change.kind()) {
            case PUT -> {
                before.entries().forEach(entry -> remove(before, entry, from, to));
                put(change, from, to, Fate.TOLD);
                standing.put(change.key(), new Standing(List.of(entry(change)), true));
            }
            case RENEW -> {
                if (found) {
                    renew(before, change, from, to);
                } else {
                    expired(before, change, to);
                }
            }
            case DELETE -> {
                if (found) {
                    delete(before, change, from);
                } else {
                    expired(before, change, to);
                }
            }
        }
    }

    private static void remove(Standing before, Expiring entry, long from, long to) {
        if (before.isOneForCertain()) {
            entry.removed(from, to);
        } else {
            entry.perhapsRemoved(from);
        }
    }

    private void put(ExpiryChange put, long from, long to, Fate fate) {
        Expiring entry = new Expiring(put, from, to);
        entry.become(fate);
        entries.put(put.number(), entry);
    }

    private Expiring entry(ExpiryChange put) {
        return Objects.requireNonNull(entries.get(put.number()));
    }

    private static void renew(Standing before, ExpiryChange renewal, long from, long to) {
        requireSomeLive(before, renewal, from);
        if (before.isOneForCertain()) {
            before.entries().get(0).renewed(renewal, from, to);
        } else {
            before.entries().forEach(entry -> perhapsRenew(entry, renewal, from, to));
        }
    }

    private static void perhapsRenew(Expiring entry, ExpiryChange renewal, long from, long to) {
        if (!entry.hasExpiredBy(from)) {
            entry.perhapsRenewed(renewal, from, to);
        }
    }

    private void delete(Standing before, ExpiryChange deletion, long from) {
        requireSomeLive(before, deletion, from);
        if (before.isOneForCertain()) {
            before.entries().get(0).become(Fate.NOT_TOLD);
        } else {
            before.entries().forEach(entry -> entry.perhapsRemoved(from));
        }
        standing.remove(deletion.key());
    }

    private static void requireSomeLive(Standing before, ExpiryChange change, long from) {
        if (before.entries().stream().allMatch(entry -> entry.hasExpiredBy(from))) {
            throw new AssertionError(change + " has found an entry, where at most there are " + before.entries()
                    + ", which had expired by " + from);
        }
    }

    /** Nothing live was found, so what stood there has expired, and by now been removed. */
    private void expired(Standing before, ExpiryChange change, long to) {
        if (before.isOneForCertain() && before.entries().get(0).isLiveAt(to)) {
            throw new AssertionError(
                    change + " has not found the " + before.entries().get(0) + " at " + to);
        }
        standing.remove(change.key());
    }

    /** The process was killed, and by now has done whatever it was about to do. */
    void killed() {
        long now = System.currentTimeMillis();
        begun.values().forEach(step -> step.changes().forEach(change -> perhapsDone(change, step.time(), now)));
        begun.clear();
        round++;
    }

    private void perhapsDone(ExpiryChange change, long from, long to) {
        Standing before = standing.getOrDefault(change.key(), new Standing(List.of(), true));
        List<Expiring> after = new ArrayList<>(before.entries());
        switch (change.kind()) {
            case PUT -> {
                before.entries().forEach(entry -> entry.perhapsRemoved(from));
                put(change, from, to, Fate.PERHAPS_TOLD);
                after.add(entry(change));
            }
            case RENEW -> before.entries().forEach(entry -> perhapsRenew(entry, change, from, to));
            case DELETE -> before.entries().forEach(entry -> entry.perhapsRemoved(from));
        }
        boolean certain = before.certain() && change.kind() == ExpiryChange.Kind.RENEW;
        standing.put(change.key(), new Standing(after, certain));
    }

    /** Requires that all that had expired by a time was told to each subscriber, and nothing else. */
    void check(long time) {
        standing.values().forEach(place -> place.entries().forEach(entry -> {
            if (!entry.hasExpiredBy(time)) {
                entry.become(entry.isLiveAt(time) ? Fate.NOT_TOLD : Fate.PERHAPS_TOLD);
            }
        }));
        calls.values().forEach(subscriber -> subscriber.check(entries));
    }
}
