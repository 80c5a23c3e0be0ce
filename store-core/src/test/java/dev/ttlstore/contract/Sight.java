package dev.ttlstore.contract;

import java.time.Duration;
import java.util.function.BiPredicate;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryPut;

/** Every way in which an operation shows whether there is an entry {@code key} in a group, alone in its store. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum Sight {
    GET((store, group) -> group.get("key").isPresent()),
    ENTRY((store, group) -> group.entry("key").isPresent()),
    CONTAINS((store, group) -> group.contains("key")),
    COUNT_OF_GROUP((store, group) -> group.count() == 1),
    GET_ALL((store, group) -> group.getAll().containsKey("key")),
    GROUPS((store, group) -> store.groups().anyMatch(group.name()::equals)),
    COUNT_OF_STORE((store, group) -> store.count() == 1),
    STATS((store, group) -> store.stats().entries() == 1),
    TAKE((store, group) -> group.take("key").isPresent()),
    DELETE((store, group) -> group.delete("key")),
    CLEAR((store, group) -> group.clear() == 1),
    EXPIRE_AFTER((store, group) -> group.expire("key", Duration.ofDays(1))),
    EXPIRE_AT((store, group) -> group.expire("key", MovableClock.START.plusSeconds(86_400))),
    PERSIST((store, group) -> group.persist("key")),
    NOT_CREATED_BY_PUT((store, group) -> {
        Recorder recorder = new Recorder();
        store.onChange(recorder);
        group.put("key", "other");
        return !recorder.events(EntryPut.class).get(0).created();
    }),
    NOT_PURGED((store, group) -> store.purgeExpired() == 0);

    private final BiPredicate<Store, TextGroup> sees;

    Sight(BiPredicate<Store, TextGroup> sees) {
        this.sees = sees;
    }

    boolean sees(Store store, TextGroup group) {
        return sees.test(store, group);
    }
}
