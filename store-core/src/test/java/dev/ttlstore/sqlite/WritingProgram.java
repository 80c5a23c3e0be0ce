package dev.ttlstore.sqlite;

import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

/** Writes to a store from a few threads without end, and says of each write when it has returned. */
final class WritingProgram {

    /** Ends each line, so that one which the kill has cut off can be told. */
    static final String END = " .";

    private static final int THREADS = 4;

    private WritingProgram() {}

    public static void main(String[] arguments) {
        Store store = Store.open(Path.of(arguments[0]));
        String run = Long.toString(ProcessHandle.current().pid());
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        for (int i = 0; i < THREADS; i++) {
            String prefix = run + "." + i + ".";
            executor.execute(() -> write(store, prefix));
        }
    }

    private static void write(Store store, String prefix) {
        TextGroup group = store.group("group");
        for (int i = 0; ; i++) {
            String key = prefix + i;
            group.put(key, "value of " + key);
            say("put " + key + " " + group.entry(key).orElseThrow().version());
            if (i % 3 == 0) {
                say("taking " + key);
                group.take(key);
                say("taken " + key);
            }
        }
    }

    private static void say(String line) {
        System.out.println(line + END);
        System.out.flush();
    }
}
