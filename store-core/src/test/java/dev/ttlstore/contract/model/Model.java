package dev.ttlstore.contract.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.GroupDeleted;
import dev.ttlstore.event.StoreEvent;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What a store should hold and tell. Expired entries leave it the moment that time reaches them, and wait among the expired
 * until the store has told of them, which it may do as late as it likes but not after something took their place.
 */
public final class Model {

    private static final Comparator<String> BY_UTF_8 =
            (one, other) -> Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));

    private final NavigableMap<String, NavigableMap<String, ModelEntry>> groups = new TreeMap<>(BY_UTF_8);
    private final Map<Name, ModelEntry> expired = new HashMap<>();
    private final Set<Name> due = new HashSet<>();
    private final List<StoreEvent> events = new ArrayList<>();

    private long now = Long.MIN_VALUE;
    private String lastAdded = "never added";

    /** Lets time go on to that of a clock, unless it is there already. */
    void reach(Instant clock) {
        now = Math.max(now, clock.toEpochMilli());
        groups.forEach((group, entries) -> entries.entrySet().removeIf(entry -> {
            boolean gone = entry.getValue().expiresAt() <= now;
            if (gone) {
                expired.put(new Name(group, entry.getKey()), entry.getValue());
            }
            return gone;
        }));
        groups.values().removeIf(Map::isEmpty);
    }

    /** The time, in milliseconds since the epoch. */
    public long now() {
        return now;
    }

    /** The value under a key. */
    public Optional<String> value(String group, String key) {
        return entry(group, key).map(ModelEntry::value);
    }

    /** Puts a value, and returns whether there was none. */
    public boolean put(String group, String key, String value, long expiresAt) {
        Optional<ModelEntry> standing = entry(group, key);
        long createdAt = standing.map(ModelEntry::createdAt).orElse(now);
        set(group, key, new ModelEntry(value, ModelEntry.UNKNOWN, createdAt, now, expiresAt));
        Instant expiry = expiresAt == ModelEntry.NEVER ? null : Instant.ofEpochMilli(expiresAt);
        events.add(new EntryPut(0, time(), group, key, ModelEntry.UNKNOWN, standing.isEmpty(), expiry));
        markDue(new Name(group, key));
        return standing.isEmpty();
    }

    /** When an entry expires; never if there is none. */
    long expiresAt(String group, String key) {
        return entry(group, key).map(ModelEntry::expiresAt).orElse(ModelEntry.NEVER);
    }

    /** When an entry was created; now if there is none. */
    long createdAt(String group, String key) {
        return entry(group, key).map(ModelEntry::createdAt).orElse(now);
    }

    /** Puts a value if what stands there is as it should be, and returns whether it was. */
    public boolean putIf(
            String group, String key, String value, long expiresAt, Predicate<Optional<String>> condition) {
        boolean holds = condition.test(value(group, key));
        if (holds) {
            put(group, key, value, expiresAt);
        }
        return holds;
    }

    /** Puts a value in the place of another, which keeps its expiry. */
    public Optional<String> update(String group, String key, String value) {
        Optional<ModelEntry> standing = entry(group, key);
        standing.ifPresent(entry -> put(group, key, value, entry.expiresAt()));
        return standing.map(entry -> value);
    }

    /** Gives all entries of a group another expiry, and returns how many there were. */
    public long rescheduleAll(String group, long expiresAt) {
        List<String> keys = List.copyOf(entries(group).keySet());
        keys.forEach(key -> reschedule(group, key, expiresAt));
        reach(time());
        return keys.size();
    }

    /** Puts a value under a key that the store has made up, and returns whether there was none. */
    public boolean add(String group, String key, String value, long expiresAt) {
        lastAdded = key;
        return put(group, key, value, expiresAt);
    }

    /** The key that was made up last. */
    String lastAdded() {
        return lastAdded;
    }

    /** Removes an entry, and returns its value. */
    public Optional<String> remove(String group, String key) {
        Optional<ModelEntry> standing = entry(group, key);
        standing.ifPresent(entry -> {
            entries(group).remove(key);
            groups.values().removeIf(Map::isEmpty);
            events.add(new EntryDeleted(0, time(), group, key, entry.version()));
        });
        return standing.map(ModelEntry::value);
    }

    /** Removes a group, and returns how many entries there were. */
    public long clear(String group) {
        long removed = entries(group).size();
        groups.remove(group);
        expired.keySet().stream().filter(name -> name.group().equals(group)).forEach(due::add);
        if (removed > 0) {
            events.add(new GroupDeleted(0, time(), group, removed));
        }
        return removed;
    }

    /** Gives an entry another expiry, and returns whether there was one. */
    public boolean reschedule(String group, String key, long expiresAt) {
        Optional<ModelEntry> standing = entry(group, key);
        standing.ifPresent(entry -> set(group, key, entry.withExpiry(expiresAt)));
        return standing.isPresent();
    }

    /** Has all that is expired told, and returns how much that is. */
    public long purge() {
        due.addAll(expired.keySet());
        return expired.size();
    }

    /** The entry under a key. */
    Optional<ModelEntry> entry(String group, String key) {
        return Optional.ofNullable(entries(group).get(key));
    }

    /** The entries of a group, in order; none if there is no such group. */
    public NavigableMap<String, ModelEntry> entries(String group) {
        return groups.getOrDefault(group, Collections.emptyNavigableMap());
    }

    /** The names of the groups, in order. */
    public List<String> groups() {
        return List.copyOf(groups.keySet());
    }

    /** How many entries there are. */
    public long count() {
        return groups.values().stream().mapToLong(Map::size).sum();
    }

    /** How many expired entries the store has still to tell of. */
    long expiredCount() {
        return expired.size();
    }

    /** Notes that an expired entry was told of, and returns what it was; null if none was to be told. */
    @Nullable
    ModelEntry toldExpired(Name name) {
        due.remove(name);
        return expired.remove(name);
    }

    /** Notes the version that the store has told for a value, unless another has taken its place. */
    void toldVersion(Name name, long version) {
        entry(name.group(), name.key())
                .filter(entry -> entry.version() == ModelEntry.UNKNOWN)
                .ifPresent(entry -> set(name.group(), name.key(), entry.withVersion(version)));
    }

    /** Whether an expired entry has still to be told of, which must come before anything else is told of its place. */
    boolean isUntold(Name name) {
        return expired.containsKey(name);
    }

    /** Whether any expired entry of a group has still to be told of. */
    boolean isUntold(String group) {
        return expired.keySet().stream().anyMatch(name -> name.group().equals(group));
    }

    /** The events to be told for the last step, without sequence and new versions; forgotten once asked for. */
    List<StoreEvent> takeEvents() {
        List<StoreEvent> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    /** The expired entries that should have been told of by the end of the last step and were not; forgotten as well. */
    Set<Name> takeDue() {
        Set<Name> taken = Set.copyOf(due);
        due.clear();
        return taken;
    }

    private void markDue(Name name) {
        if (expired.containsKey(name)) {
            due.add(name);
        }
    }

    private void set(String group, String key, ModelEntry entry) {
        groups.computeIfAbsent(group, ignored -> new TreeMap<>(BY_UTF_8)).put(key, entry);
    }

    private Instant time() {
        return Instant.ofEpochMilli(now);
    }
}
