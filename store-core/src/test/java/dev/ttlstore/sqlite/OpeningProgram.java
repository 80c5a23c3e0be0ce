package dev.ttlstore.sqlite;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import dev.ttlstore.Store;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.exception.StoreException;

/** Opens files until there are no descriptors left, and says what a store says then. */
final class OpeningProgram {

    private OpeningProgram() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        Path other = file.resolveSibling("other.db");
        try (Store store = Store.open(file)) {
            store.group("group").put("key", "value");
            warmUp(file);
            List<FileInputStream> opened = new ArrayList<>();
            String exhausted = "";
            while (exhausted.isEmpty()) {
                try {
                    opened.add(new FileInputStream("/dev/null"));
                } catch (IOException e) {
                    exhausted = "yes";
                }
            }
            String said = failure(() -> {
                throw new SqliteErrors(file.toString()).translate(cannotOpen());
            });
            // Past the store, which would look for its engine, and that takes a descriptor as well.
            EngineSettings settings = new EngineSettings(false, Duration.ZERO, InstantSource.system());
            String open = failure(() -> Sqlite.file(other).open(settings).close());
            for (FileInputStream each : opened) {
                each.close();
            }
            System.out.println("then said " + said);
            System.out.println("then open " + open);
            System.out.println("then count " + store.group("group").count());
        }
    }

    /** Loads the classes that are needed, each of which takes a descriptor for a moment. */
    private static void warmUp(Path file) {
        try (Store warm = Store.open(file.resolveSibling("warm.db"))) {
            warm.group("group").put("key", "value");
            System.out.println("warm " + warm.group("group").count() + warm.stats());
        }
        System.out.println(failure(() -> {
            throw new SqliteErrors(file.toString()).translate(cannotOpen());
        }));
        System.out.println(failure(() -> {
            throw SqliteErrors.outOfDescriptors("to warm up", cannotOpen());
        }));
        System.out.println(failure(() -> Store.open(Path.of("/dev/null"))));
    }

    /** All that SQLite says. */
    private static SQLiteException cannotOpen() {
        return new SQLiteException("said by SQLite", SQLiteErrorCode.SQLITE_CANTOPEN);
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
