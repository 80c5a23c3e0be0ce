package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Path;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.StoreException;

/** Fills a store until it takes no more, and says how far it got, what it was told, and what can still be read. */
final class FillingProgram {

    static final String VALUE = "x".repeat(100_000);

    private FillingProgram() {}

    public static void main(String[] arguments) throws IOException {
        try (Store store = Store.open(Path.of(arguments[0]))) {
            TextGroup group = store.group("group");
            int written = 0;
            try {
                while (written < 1_000) {
                    group.put("key" + written, VALUE);
                    written++;
                }
            } catch (StoreException e) {
                System.out.println("refused " + e.getClass().getSimpleName());
            }
            System.out.println("written " + written);
            if (arguments.length > 1) {
                System.in.read(); // until it is killed
            }
            int readable = 0;
            while (group.get("key" + readable).filter(VALUE::equals).isPresent()) {
                readable++;
            }
            System.out.println("readable " + readable);
        }
        System.out.println("closed");
    }
}
