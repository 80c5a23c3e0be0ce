package dev.ttlstore.jcache;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;

/** Records all events as texts: type, key, old value, value. */
public final class Recorder
        implements CacheEntryCreatedListener<String, String>,
                CacheEntryUpdatedListener<String, String>,
                CacheEntryRemovedListener<String, String>,
                CacheEntryExpiredListener<String, String> {

    private final List<String> events = new CopyOnWriteArrayList<>();

    /** The events so far. */
    public List<String> events() {
        return List.copyOf(events);
    }

    private void record(Iterable<CacheEntryEvent<? extends String, ? extends String>> some) {
        some.forEach(event -> events.add(
                event.getEventType() + " " + event.getKey() + " " + event.getOldValue() + " " + event.getValue()));
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends String>> some) {
        record(some);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends String>> some) {
        record(some);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends String>> some) {
        record(some);
    }

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends String>> some) {
        record(some);
    }
}
