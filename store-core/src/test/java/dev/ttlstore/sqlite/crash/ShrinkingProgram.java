package dev.ttlstore.sqlite.crash;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.ttlstore.Store;
import dev.ttlstore.sqlite.Sqlite;

/** Fills a store, empties it, and goes on writing while its file shrinks. Says each key when it is written. */
final class ShrinkingProgram {

    static final String EMPTIED = "emptied";
    static final String WRITTEN = "written";

    private ShrinkingProgram() {}

    /** Takes the file, and how the keys begin. */
    public static void main(String[] arguments) {
        Store store = Store.builder()
                .engine(Sqlite.file(Path.of(arguments[0])).reclaimAfter(Duration.ofMillis(1)))
                .purgeInterval(Duration.ZERO)
                .open();
        for (int part = 0; part < 50; part++) {
            Map<String, String> values = new HashMap<>();
            for (int i = 0; i < 100; i++) {
                values.put(part + "-" + i, "x".repeat(4_000));
            }
            store.group("many").putAll(values);
        }
        store.group("many").clear();
        CrashingProgram.say(EMPTIED);
        for (int i = 0; ; i++) {
            String key = arguments[1] + "-" + i;
            store.group("group").put(key, "value of " + key);
            CrashingProgram.say(WRITTEN + " " + key);
        }
    }
}
