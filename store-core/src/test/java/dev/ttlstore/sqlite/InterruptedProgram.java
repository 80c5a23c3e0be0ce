package dev.ttlstore.sqlite;

import java.nio.file.Path;

import dev.ttlstore.Store;

/** Opens the first store of a process in a thread that has been interrupted. */
final class InterruptedProgram {

    private InterruptedProgram() {}

    public static void main(String[] arguments) {
        Thread.currentThread().interrupt();
        try (Store store = Store.open(Path.of(arguments[0]))) {
            store.group("group").put("key", "value");
            System.out.println("read " + store.group("group").get("key").orElseThrow());
        }
        System.out.println("interrupted " + Thread.currentThread().isInterrupted());
    }
}
