package dev.ttlstore.engine.commit;

import dev.ttlstore.Codec;
import dev.ttlstore.contract.MovableClock;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;

/** Rows to test with. */
public final class Rows {

    public static final long NOW = MovableClock.START.toEpochMilli();

    private Rows() {}

    public static RowKey key(String key) {
        return new RowKey("group", key);
    }

    public static RowKey key(String group, String key) {
        return new RowKey(group, key);
    }

    public static Row permanent(String key, long version) {
        return expiring(key, version, Row.NEVER);
    }

    public static Row permanent(RowKey key) {
        return in(key.group(), key.key(), 0, Row.NEVER);
    }

    public static Row expiring(String key, long version, long expiresAt) {
        return new Row(key(key), value("old"), version, NOW - 10, NOW - 5, expiresAt);
    }

    public static Row in(String group, String key, long version, long expiresAt) {
        return new Row(key(group, key), value("old"), version, NOW - 10, NOW - 5, expiresAt);
    }

    public static byte[] value(String text) {
        return Codec.text().encode(text);
    }
}
