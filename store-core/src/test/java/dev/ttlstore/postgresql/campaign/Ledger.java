package dev.ttlstore.postgresql.campaign;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/** What the nodes have said of their writes, and what must therefore be found. Not thread-safe. */
final class Ledger {

    /** By then an expiry is handled, also if the node that had the lease of its slot was killed. */
    private static final long HANDLED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final Map<String, Begun> begun = new HashMap<>();
    private final Map<String, Value> values = new TreeMap<>();
    private final Map<String, Tally> tallies = new TreeMap<>();
    private final Map<String, Long> unhandled = new TreeMap<>();
    private final Set<String> failed = new HashSet<>();
    private final Set<String> handled = new HashSet<>();
    private final Map<Long, String> versions = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Map<String, Long> figures = new TreeMap<>();

    private record Begun(String group, String key, String value) {}

    /** What a key has, by the last write that was acknowledged, and by those since then whose outcome is not known. */
    private static final class Value {
        private String acknowledged = Names.ABSENT;
        private final Set<String> perhaps = new HashSet<>();
    }

    /** How many increments were acknowledged, and how many have an unknown outcome. */
    private static final class Tally {
        private long certain;
        private long perhaps;
        private final Set<Long> results = new HashSet<>();
    }

    /** Reads on in the journal of a process. */
    void read(ProcessJournal journal) throws java.io.IOException {
        String process = journal.process();
        for (String[] words : journal.next()) {
            switch (words[0]) {
                case Journal.BEGUN -> begun.put(process + " " + words[1], new Begun(words[2], words[3], words[4]));
                case Journal.ACKNOWLEDGED -> acknowledged(ended(process, words[1]), Long.parseLong(words[2]));
                case Journal.FAILED -> failed(ended(process, words[1]));
                case Journal.UNKNOWN -> unknown(ended(process, words[1]));
                case Journal.HANDLED -> handled(words[1], words[3]);
                case Journal.WATCHING -> journal.trail().from(Long.parseLong(words[1]));
                case Journal.SEEN -> journal.trail().seen(Long.parseLong(words[1]));
                case Journal.GAP -> journal.trail().gap();
                default -> faults.add(process + " says: " + String.join(" ", words));
            }
        }
        if (journal.hasEnded()) {
            begun.entrySet().removeIf(entry -> {
                boolean own = entry.getKey().startsWith(process + " ");
                if (own) {
                    unknown(entry.getValue());
                }
                return own;
            });
        }
    }

    private Begun ended(String process, String thread) {
        Begun write = begun.remove(process + " " + thread);
        if (write == null) {
            throw new AssertionError("The journal of " + process + " ends what it has not begun in " + thread);
        }
        return write;
    }

    private void acknowledged(Begun write, long result) {
        count("acknowledged");
        switch (write.group()) {
            case Names.OWN -> {
                Value value = value(write);
                boolean deletion = write.value().equals(Names.ABSENT);
                if (deletion && value.perhaps.isEmpty() && (result == 0) != value.acknowledged.equals(Names.ABSENT)) {
                    faults.add("Deleting " + write.key() + " has returned " + result + ", but it was "
                            + value.acknowledged);
                }
                value.acknowledged = write.value();
                value.perhaps.clear();
                if (!deletion) {
                    String other = versions.put(result, write.key());
                    if (other != null) {
                        faults.add("The version " + result + " was given to " + other + " and to " + write.key());
                    }
                }
            }
            case Names.BRIEF -> unhandled.put(write.key(), System.nanoTime());
            default -> {
                Tally tally = tally(write);
                tally.certain++;
                if (!tally.results.add(result)) {
                    faults.add("Two increments of " + write.group() + " " + write.key() + " have returned " + result);
                }
            }
        }
    }

    private void failed(Begun write) {
        count("failed");
        if (write.group().equals(Names.BRIEF)) {
            failed.add(write.key());
        }
    }

    private void unknown(Begun write) {
        count("unknown");
        switch (write.group()) {
            case Names.OWN -> value(write).perhaps.add(write.value());
            case Names.BRIEF -> {}
            default -> tally(write).perhaps++;
        }
    }

    private void handled(String key, String value) {
        if (!key.equals(value)) {
            faults.add("The expiry of " + key + " was handled with the value " + value);
        }
        count(handled.add(key) ? "handled" : "handled again");
    }

    private Value value(Begun write) {
        return values.computeIfAbsent(write.key(), key -> new Value());
    }

    private Tally tally(Begun write) {
        return tallies.computeIfAbsent(write.group() + " " + write.key(), key -> new Tally());
    }

    private void count(String figure) {
        figures.merge(figure, 1L, Long::sum);
    }

    Map<String, Long> figures() {
        return figures;
    }

    /** Compares the store with what must be there, as all nodes pause. */
    void check(Map<String, String> own, Map<String, Map<String, Long>> counted, Set<Long> logged) {
        values.forEach((key, value) -> {
            String found = own.getOrDefault(key, Names.ABSENT);
            if (!found.equals(value.acknowledged) && !value.perhaps.contains(found)) {
                faults.add(key + " is " + found + ", but acknowledged was " + value.acknowledged
                        + ", and since then perhaps " + value.perhaps);
            }
            value.acknowledged = found;
            value.perhaps.clear();
        });
        tallies.forEach((name, tally) -> {
            String[] words = name.split(" ", -1);
            long found = counted.getOrDefault(words[0], Map.of()).getOrDefault(words[1], 0L);
            if (found < tally.certain || found > tally.certain + tally.perhaps) {
                faults.add(name + " is " + found + ", but " + tally.certain + " increments were acknowledged, and "
                        + tally.perhaps + " perhaps made");
            }
        });
        versions.forEach((version, key) -> {
            if (!logged.contains(version)) {
                faults.add("The version " + version + " of " + key + " is not in the log");
            }
        });
        versions.clear();
        unhandled.keySet().removeAll(handled);
        failed.stream().filter(handled::contains).forEach(key -> faults.add("Handled, but never written: " + key));
        long overdue = System.nanoTime() - HANDLED_WITHIN_NANOS;
        unhandled.forEach((key, time) -> {
            if (time < overdue) {
                faults.add("The expiry of " + key + " was not handled");
            }
        });
    }

    /** Tests whether all expiries are handled. */
    boolean isAllHandled() {
        unhandled.keySet().removeAll(handled);
        return unhandled.isEmpty();
    }

    int unhandled() {
        return unhandled.size();
    }

    List<String> faults() {
        return faults;
    }

    /** Returns an entry that was not handled, to show. */
    @Nullable
    String someUnhandled() {
        return unhandled.isEmpty() ? null : unhandled.keySet().iterator().next();
    }
}
