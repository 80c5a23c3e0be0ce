package dev.ttlstore.sqlite;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.ttlstore.Store;
import dev.ttlstore.StoreException;

/** Opens files until there are no descriptors left, and says what a store says then. */
final class OpeningProgram {

    private OpeningProgram() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        Path other = file.resolveSibling("other.db");
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
            System.out.println("warm " + failure(() -> Store.open(other.resolve("below")))); // loads its classes
            List<FileInputStream> opened = new ArrayList<>();
            String exhausted = "";
            while (exhausted.isEmpty()) {
                try {
                    opened.add(new FileInputStream("/dev/null"));
                } catch (IOException e) {
                    exhausted = "yes";
                }
            }
            String read = failure(() -> store.group("group").count());
            String open = failure(() -> Store.open(other).close());
            for (FileInputStream each : opened) {
                each.close();
            }
            System.out.println("read " + read);
            System.out.println("open " + open);
            System.out.println("count " + store.group("group").count());
        }
    }

    private static String failure(Runnable call) {
        try {
            call.run();
            return "nothing";
        } catch (StoreException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }
}
