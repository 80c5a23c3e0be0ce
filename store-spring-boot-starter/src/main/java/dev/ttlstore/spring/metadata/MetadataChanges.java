package dev.ttlstore.spring.metadata;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.integration.metadata.MetadataStoreListener;

import dev.ttlstore.Group;
import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.StoreListener;

/**
 * Tells one listener of the changes of a group. An event of a removal has no value, so the last values that were put are kept: enough
 * of them for the usual case, and few enough for the memory. Thread-safe.
 */
final class MetadataChanges implements StoreListener {

    private static final int MAX_KNOWN = 1_000;

    /** Together, the keys and values that are kept have no more characters. */
    private static final long MAX_CHARS = 2 * 1024 * 1024;

    private final Group<String> group;
    private final MetadataStoreListener listener;

    /** The last values that were put or are about to be removed, by the key in the store. Guarded by itself. */
    private final Map<String, Known> known = new LinkedHashMap<>();

    /** How many characters they have. Guarded by them. */
    private long chars;

    private record Known(long version, String text) {}

    MetadataChanges(Group<String> group, MetadataStoreListener listener) {
        this.group = group;
        this.listener = listener;
    }

    @Override
    public boolean wantsValues() {
        return true;
    }

    /** Keeps a value that may be removed soon. */
    void remember(String key, long version, String text) {
        synchronized (known) {
            Known unused = forget(key);
            known.put(key, new Known(version, text));
            chars += key.length() + text.length();
            while (known.size() > MAX_KNOWN || chars > MAX_CHARS) {
                unused = forget(known.keySet().iterator().next());
            }
        }
    }

    private @Nullable Known forget(String key) {
        Known gone = known.remove(key);
        if (gone != null) {
            chars -= key.length() + gone.text().length();
        }
        return gone;
    }

    @Override
    public void onEvent(StoreEvent event) {
        if (!event.group().equals(group.name())) {
            return;
        }
        if (event instanceof EntryPut put) {
            onPut(put);
        } else if (event instanceof EntryDeleted deleted) {
            onRemoval(deleted.key(), deleted.version());
        } else if (event instanceof EntryExpired expired) {
            onRemoval(expired.key(), expired.version());
        }
    }

    private void onPut(EntryPut put) {
        // An event of another instance has no value. If the entry is gone by now, the event that says so follows.
        Optional<String> text = group.valueOf(put).or(() -> group.get(put.key()));
        if (text.isEmpty()) {
            return;
        }
        remember(put.key(), put.version(), text.get());
        MetadataEntry entry = MetadataEntry.stored(put.key(), text.get());
        if (put.created()) {
            listener.onAdd(entry.name(), entry.value());
        } else {
            listener.onUpdate(entry.name(), entry.value());
        }
    }

    private void onRemoval(String key, long version) {
        Known last;
        synchronized (known) {
            last = forget(key);
        }
        String text = last != null && last.version() == version ? last.text() : "";
        MetadataEntry entry = MetadataEntry.stored(key, text);
        listener.onRemove(entry.name(), entry.value());
    }

    /** Returns the class of the listener inside, for the log. */
    @Override
    public String toString() {
        return listener.getClass().getName();
    }
}
