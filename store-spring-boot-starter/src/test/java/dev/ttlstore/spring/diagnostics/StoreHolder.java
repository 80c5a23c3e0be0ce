package dev.ttlstore.spring.diagnostics;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import dev.ttlstore.Store;
import dev.ttlstore.spring.Java;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Another process, which holds the file of a store. */
final class StoreHolder implements AutoCloseable {

    private final Process process;

    private StoreHolder(Process process) {
        this.process = process;
    }

    static StoreHolder of(Path file) throws IOException {
        Process process = Java.start(List.of(), StoreHolder.class, file.toString());
        BufferedReader output = process.inputReader(UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals("open")) {
                return new StoreHolder(process);
            }
        }
        throw new IllegalStateException("The process has not opened the store");
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.inputReader(UTF_8).close();
        process.onExit().join();
    }

    /** Opens the store, and holds it until the process is ended. */
    public static void main(String[] arguments) throws IOException {
        try (Store store = Store.open(Path.of(arguments[0]))) {
            System.out.println("open");
            System.out.flush();
            System.in.read();
            store.check();
        }
    }
}
