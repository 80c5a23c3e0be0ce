package dev.ttlstore.sqlite;

import java.nio.file.Path;

import dev.ttlstore.Store;

/** Opens a store, and ends at once without closing it. */
final class HaltingProgram {

    private HaltingProgram() {}

    public static void main(String[] arguments) {
        Store store = Store.open(Path.of(arguments[0]));
        System.out.println("opened " + store.path());
        Runtime.getRuntime().halt(0);
    }
}
