package dev.ttlstore.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ttlstore.event.EntryDeleted;
import dev.ttlstore.event.EntryPut;
import dev.ttlstore.event.StoreEvent;
import dev.ttlstore.event.Watch;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.event.WatchSignal;

/** Part of the contract that reads watches. */
abstract class WatchArea extends ContractArea {

    static final WatchOptions DEFAULTS = WatchOptions.defaults();

    static List<WatchSignal> read(Watch watch) {
        List<WatchSignal> signals = new ArrayList<>();
        for (Optional<WatchSignal> next = watch.poll(); next.isPresent(); next = watch.poll()) {
            signals.add(next.get());
        }
        return signals;
    }

    static List<String> shown(List<WatchSignal> signals) {
        return signals.stream().map(WatchArea::shown).toList();
    }

    /** Which key a signal is about, with a mark for its kind. */
    static String shown(WatchSignal signal) {
        if (signal instanceof WatchSignal.Existing existing) {
            return "= " + existing.entry().key();
        }
        if (signal instanceof WatchSignal.Change change) {
            StoreEvent event = change.event();
            return event instanceof EntryPut put
                    ? "+ " + put.key()
                    : event instanceof EntryDeleted deleted ? "- " + deleted.key() : event.type();
        }
        return signal instanceof WatchSignal.UpToDate ? "up to date" : "gap";
    }

    static long last(List<WatchSignal> signals) {
        return ((WatchSignal.Change) signals.get(signals.size() - 1)).event().sequence();
    }
}
