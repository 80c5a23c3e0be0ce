package dev.ttlstore.benchmark.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Entries made in advance, so that making them is not measured. Keys look random, as session ids do: a tree gets them in no
 * order. Values are random bytes, so that nobody gains by compression.
 */
public final class Dataset {

    /** How many entries the bulk ways of loading take at once. */
    public static final int PAGE = 1_000;

    private static final int DISTINCT_VALUES = 64;

    /** Large values come in smaller numbers: the data shall fit into memory, for what is compared is not disks. */
    private static final long MAX_BYTES = 200L * 1024 * 1024;

    private final int groupSize;
    private final String[] groups;
    private final String[] keys;
    private final byte[][] values = new byte[DISTINCT_VALUES][];

    /** Some entries of one group. */
    public record Page(String group, int from, int to) {}

    /** Makes entries, fewer than asked for if they came to more than 200 MiB. */
    public Dataset(String name, int entries, int groups, int valueSize) {
        int size = (int) Math.max(1, Math.min(entries, MAX_BYTES / valueSize));
        this.groupSize = Math.max(1, (size + groups - 1) / groups);
        this.groups = new String[(size + groupSize - 1) / groupSize];
        for (int i = 0; i < this.groups.length; i++) {
            this.groups[i] = String.format("%s-%03d", name, i);
        }
        this.keys = new String[size];
        for (int i = 0; i < size; i++) {
            keys[i] = randomLooking(i);
        }
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < DISTINCT_VALUES; i++) {
            values[i] = new byte[valueSize];
            random.nextBytes(values[i]);
        }
    }

    /** How many entries there are. */
    public int size() {
        return keys.length;
    }

    /** How many groups they are in. */
    public int groups() {
        return groups.length;
    }

    /** The name of a group. */
    public String groupName(int group) {
        return groups[group];
    }

    /** The group of an entry. */
    public String group(int entry) {
        return groups[entry / groupSize];
    }

    /** The key of an entry. */
    public String key(int entry) {
        return keys[entry];
    }

    /** The value of an entry, shared with others. */
    public byte[] value(int entry) {
        return values[entry % DISTINCT_VALUES];
    }

    /** The entries of a page. */
    public Map<String, byte[]> values(Page page) {
        Map<String, byte[]> entries = new HashMap<>();
        for (int i = page.from(); i < page.to(); i++) {
            entries.put(key(i), value(i));
        }
        return entries;
    }

    /** A key that no entry has. */
    public String freshKey(long number) {
        return randomLooking(Integer.MAX_VALUE + number);
    }

    /** All entries in pages, each within a group. */
    public List<Page> pages() {
        List<Page> pages = new ArrayList<>();
        for (int start = 0; start < keys.length; start += groupSize) {
            int end = Math.min(start + groupSize, keys.length);
            for (int from = start; from < end; from += PAGE) {
                pages.add(new Page(groups[start / groupSize], from, Math.min(from + PAGE, end)));
            }
        }
        return pages;
    }

    /** The finalizer of SplitMix64 is a bijection, so no two numbers get the same key. */
    private static String randomLooking(long number) {
        long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return String.format("%016x", mixed ^ (mixed >>> 31));
    }
}
