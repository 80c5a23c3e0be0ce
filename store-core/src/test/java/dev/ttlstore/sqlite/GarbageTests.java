package dev.ttlstore.sqlite;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Bytes that others have written over or cut off: whatever is answered is right, and the rest is refused. */
@Tag("crash")
@Promise(23)
class GarbageTests {

    private static final int HEADER = 100;
    private static final int ENTRIES = 300;

    @TempDir
    Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    @Test
    @Promise({21, 23})
    void noByteOfTheHeaderLeadsToAWrongAnswer() throws IOException {
        fill();
        byte[] sound = Files.readAllBytes(file);
        Random random = new Random(7);
        int refused = 0;
        for (int at = 0; at < HEADER; at++) {
            byte[] damaged = sound.clone();
            damaged[at] ^= (byte) (1 + random.nextInt(255));
            Files.write(file, damaged);
            refused += refusals();
        }
        assertThat(refused).isPositive();
        Files.write(file, sound);
        assertThat(refusals()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 99, 100, 101, 511, 512, 1_000, 4_095, 4_096, 4_097, 8_192, 12_288, 20_000})
    @Promise({21, 23})
    void aFileThatIsCutOffAnywhereIsRefusedOrRight(int size) throws IOException {
        fill();
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            assertThat(bytes.length()).isGreaterThan(size);
            bytes.setLength(size);
        }
        assertThat(refusals()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16, 32, 100, 4_000, 8_000, 40_000})
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aLogThatIsCutOffBeneathAnOpenStoreIsRefusedOrRight(int size) throws IOException {
        assertRightOrRefusedAfter(() -> {
            try (RandomAccessFile log = log()) {
                assertThat(log.length()).isGreaterThan(size);
                log.setLength(size);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aLogThatIsOverwrittenBeneathAnOpenStoreIsRefusedOrRight(long seed) throws IOException {
        assertRightOrRefusedAfter(() -> {
            try (RandomAccessFile log = log()) {
                byte[] garbage = new byte[(int) log.length()];
                new Random(seed).nextBytes(garbage);
                log.write(garbage);
            }
        });
    }

    /** Damage that is done to the files of an open store. */
    private interface Damage {
        void run() throws IOException;
    }

    private void assertRightOrRefusedAfter(Damage damage) throws IOException {
        fill();
        int refused = 0;
        try (Store store = settled()) {
            TextGroup group = store.group("group");
            for (int i = 0; i < ENTRIES; i++) {
                group.put("key" + i, value(i));
            }
            damage.run();
            refused += refusals(group);
            try {
                group.put("new", "value");
                assertThat(group.get("new")).contains("value");
            } catch (StoreException e) {
                refused++;
            }
        } catch (StoreException e) {
            refused++; // closing folds the log into the file
        }
        assertThat(refused).isPositive();
        refusals(); // whatever the file is by now
    }

    private RandomAccessFile log() throws IOException {
        return new RandomAccessFile(file + "-wal", "rw");
    }

    private void fill() {
        try (Store store = settled()) {
            for (int i = 0; i < ENTRIES; i++) {
                store.group("group").put("key" + i, value(i));
            }
        }
    }

    /** Opens the store and reads all of it, and returns how often that was refused; a wrong answer fails the test. */
    private int refusals() {
        try (Store store = settled()) {
            return refusals(store.group("group"));
        } catch (StoreException e) {
            assertThat(e).hasMessageContaining(file.toString());
            return 1;
        }
    }

    private int refusals(TextGroup group) {
        int refused = 0;
        for (int i = 0; i < ENTRIES; i++) {
            try {
                assertThat(group.get("key" + i)).contains(value(i));
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining(file.toString());
                refused++;
            }
        }
        return refused;
    }

    private Store settled() {
        return Store.builder().path(file).purgeInterval(Duration.ZERO).open();
    }

    private static String value(int i) {
        return ("value of " + i + " ").repeat(30);
    }
}
