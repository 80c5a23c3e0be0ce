package dev.ttlstore.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

import dev.ttlstore.Codec;
import dev.ttlstore.Counters;
import dev.ttlstore.ExpiringEntry;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.RetainedEntry;
import dev.ttlstore.TextGroup;
import dev.ttlstore.TypeRef;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.engine.ExpiryRow;
import dev.ttlstore.engine.ExpiryScan;
import dev.ttlstore.engine.ExpiryScan.Wanted;
import dev.ttlstore.engine.ExpiryWalk;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Millis;
import dev.ttlstore.engine.Names;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Scan;
import dev.ttlstore.internal.access.ExpiredEntries;
import dev.ttlstore.internal.access.PageStreams;
import dev.ttlstore.internal.access.RowAccess;
import dev.ttlstore.internal.value.RowValues;
import dev.ttlstore.internal.value.ValueSettings;

/** The common part of stores, scopes and transactions: groups whose full names start with a prefix. */
abstract sealed class AbstractKeyspace implements Keyspace permits WatchedKeyspace, DefaultTransaction {

    private static final int ROWS_PER_PAGE = 256;

    private final RowAccess access;
    private final String prefix;

    /**
     * Creates a keyspace.
     *
     * @param access reaches the rows
     * @param prefix the prefix of its groups' full names; empty for the store itself
     */
    AbstractKeyspace(RowAccess access, String prefix) {
        this.access = access;
        this.prefix = prefix;
    }

    RowAccess rows() {
        return access;
    }

    /** Returns the prefix of its groups' full names; empty for the store itself. */
    String prefix() {
        return prefix;
    }

    @Override
    public Instant now() {
        access.requireUsable();
        return Instant.ofEpochMilli(access.now());
    }

    @Override
    public TextGroup group(String name) {
        return new DefaultTextGroup(name, fullName(name), access);
    }

    @Override
    public <V> Group<V> group(String name, TypeRef<V> type) {
        Objects.requireNonNull(type, "'type' must not be null");
        String fullName = fullName(name);
        return new DefaultGroup<>(
                name, fullName, access.context().values().codecs().require(type, fullName), access);
    }

    @Override
    public <V> Group<V> group(String name, Codec<V> codec) {
        Objects.requireNonNull(codec, "'codec' must not be null");
        return new DefaultGroup<>(name, fullName(name), codec, access);
    }

    @Override
    public Counters counters(String name) {
        return new DefaultCounters(name, fullName(name), access);
    }

    @Override
    public WriteBatch batch() {
        access.requireUsable();
        return new DefaultWriteBatch(access);
    }

    @Override
    public Stream<String> groups(String namePrefix) {
        GroupRange range = range(namePrefix);
        return PageStreams.groups(access, range)
                .map(this::localName)
                .filter(name -> !name.isEmpty()); // the store may have a group that is named as the prefix alone
    }

    @Override
    public long count(String namePrefix) {
        return access.reads().count(Scan.groups(range(namePrefix), Reads.NOW, Integer.MAX_VALUE));
    }

    @Override
    public long deleteGroup(String name) {
        return access.clear(GroupRange.only(fullName(name)));
    }

    @Override
    public long deletePrefix(String namePrefix) {
        return access.clear(range(namePrefix));
    }

    @Override
    public long expirePrefix(String namePrefix, Expiry expiry) {
        Objects.requireNonNull(expiry, "'expiry' must not be null");
        return groups(namePrefix)
                .takeWhile(name -> !access.isInterrupted())
                .mapToLong(name -> group(name, Codec.bytes()).expireAll(expiry))
                .sum();
    }

    @Override
    public long sweep(Duration maxAge) {
        long latest = GroupWalk.latest(access, maxAge);
        return groups().takeWhile(name -> !access.isInterrupted())
                .mapToLong(name -> new GroupWalk(access, prefix + name).sweep(latest))
                .sum();
    }

    @Override
    public Stream<ExpiringEntry> expiring(Instant from, Instant to) {
        access.requireUsable();
        long first = Math.max(Millis.of(from, "from"), access.now() + 1);
        ExpiryWalk walk = access.reads().expiring(scan(first, Millis.of(to, "to"), Wanted.LIVE));
        return PageStreams.<ExpiryRow>stream(access, last -> new PageStreams.Page<>(walk.next(), walk.hasMore()))
                .filter(row -> row.expiresAt() > access.now())
                .map(row -> new ExpiringEntry(
                        localName(row.key().group()),
                        row.key().key(),
                        row.version(),
                        Instant.ofEpochMilli(row.expiresAt())));
    }

    @Override
    public Stream<RetainedEntry> expired(Instant from, Instant to) {
        access.requireUsable();
        long end = Math.min(Millis.of(to, "to"), access.now() + 1);
        ExpiredEntries expired = new ExpiredEntries(access, scan(Millis.of(from, "from"), end, Wanted.EXPIRED));
        return PageStreams.<Row>stream(access, expired::page)
                .map(row -> new RetainedRow(
                        localName(row.key().group()), row, access.context().values()));
    }

    /**
     * A retained entry, decoded on demand.
     *
     * @param group the name by which the caller knows the group
     * @param row the entry's row
     * @param values how values are converted
     */
    private record RetainedRow(String group, Row row, ValueSettings values) implements RetainedEntry {

        @Override
        public String key() {
            return row.key().key();
        }

        @Override
        public <V> V value(Codec<V> codec) {
            return new RowValues<>(row.key().group(), codec, values).require(row);
        }

        @Override
        public long version() {
            return row.version();
        }

        @Override
        public Instant createdAt() {
            return Instant.ofEpochMilli(row.createdAt());
        }

        @Override
        public Instant updatedAt() {
            return Instant.ofEpochMilli(row.updatedAt());
        }

        @Override
        public Instant expiresAt() {
            return Instant.ofEpochMilli(row.expiresAt());
        }

        /** Returns a text without the key and the value, which may be secrets. */
        @Override
        public String toString() {
            return "RetainedEntry[group=" + group + ", version=" + version() + ", createdAt=" + createdAt()
                    + ", updatedAt=" + updatedAt() + ", expiresAt=" + expiresAt() + "]";
        }
    }

    private ExpiryScan scan(long from, long to, Wanted wanted) {
        return new ExpiryScan(GroupRange.prefix(prefix), from, to, wanted, ROWS_PER_PAGE);
    }

    private GroupRange range(String namePrefix) {
        access.requireUsable();
        Names.requirePrefix(namePrefix, "prefix");
        return GroupRange.prefix(prefix + namePrefix);
    }

    private String fullName(String name) {
        access.requireUsable();
        Names.require(name, "group");
        return prefix.isEmpty() ? name : Names.require(prefix + name, "group");
    }

    private String localName(String fullName) {
        return fullName.substring(prefix.length());
    }
}
