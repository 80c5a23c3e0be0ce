package dev.ttlstore.sqlite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;

import dev.ttlstore.Store;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Opens a store and holds it until it is told to close it. */
final class HoldingProgram {

    private HoldingProgram() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        try (Store store = Store.open(Path.of(arguments[0]))) {
            store.group("group").put("key", "value");
            System.out.println("open");
            System.out.flush();
            input.readLine();
        }
        System.out.println("closed");
        System.out.flush();
        input.readLine();
    }
}
