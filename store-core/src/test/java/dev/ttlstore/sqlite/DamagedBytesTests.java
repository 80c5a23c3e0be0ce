package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Bytes of a file that are damaged at random or one after the other: no read returns another value. */
@Promise(23)
class DamagedBytesTests extends ChecksummedFile {

    private static final Map<String, String> WRITTEN =
            new TreeMap<>(Map.of("a", "", "b", "value", "c", "x".repeat(300), "d", "y".repeat(9_000)));

    /** Writes a file, damages it in each way, and requires that no read returns another value. Then the same with a migrated file. */
    private void noReadReturnsAnotherValue(Iterable<Consumer<byte[]>> damages) throws IOException, SQLException {
        write(store -> WRITTEN.forEach((key, value) -> store.group("group").put(key, value)));
        noReadOfTheFileReturnsAnotherValue(damages);
        Files.delete(file);
        write(store -> WRITTEN.forEach((key, value) -> store.group("group").put(key, value)));
        DamagedFile.makeEarlier(file);
        write(store -> {});
        noReadOfTheFileReturnsAnotherValue(damages);
    }

    private void noReadOfTheFileReturnsAnotherValue(Iterable<Consumer<byte[]>> damages) throws IOException {
        byte[] sound = Files.readAllBytes(file);
        int failed = 0;
        for (Consumer<byte[]> damage : damages) {
            byte[] bytes = sound.clone();
            damage.accept(bytes);
            Files.write(file, bytes);
            try (Store store = builder().open()) {
                for (Map.Entry<String, String> entry : WRITTEN.entrySet()) {
                    failed += requireSame(store.group("group"), entry) ? 0 : 1;
                }
            } catch (StoreException e) {
                failed++;
            }
        }
        assertThat(failed).isPositive();
    }

    /** Returns whether a value could be read. */
    private static boolean requireSame(TextGroup group, Map.Entry<String, String> written) {
        try {
            assertThat(group.get(written.getKey()).orElse(written.getValue())).isEqualTo(written.getValue());
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    @Test
    @Tag("crash")
    void noFlippedBitMakesAReadReturnAnotherValue() throws IOException, SQLException {
        Random random = new Random(7);
        noReadReturnsAnotherValue(() -> Stream.<Consumer<byte[]>>generate(
                        () -> bytes -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8)))
                .limit(250)
                .iterator());
    }

    @Test
    @Tag("crash")
    void noLostSectorMakesAReadReturnAnotherValue() throws IOException, SQLException {
        int sectors = 17 * 4_096 / 512;
        noReadReturnsAnotherValue(() -> IntStream.range(0, sectors)
                .<Consumer<byte[]>>mapToObj(
                        sector -> bytes -> Arrays.fill(bytes, sector * 512, sector * 512 + 512, (byte) 0))
                .iterator());
    }

    /** The header of a row says where its columns are. */
    @Test
    @Tag("crash")
    void noByteBeforeAValueMakesAReadReturnAnotherValue() throws IOException, SQLException {
        String value = WRITTEN.get("c");
        noReadReturnsAnotherValue(() -> IntStream.rangeClosed(1, 60)
                .boxed()
                .<Consumer<byte[]>>flatMap(
                        before -> Stream.of(0x00, 0x80, 0x01, 0x04, 0x40).map(change -> bytes -> {
                            String content = new String(bytes, StandardCharsets.ISO_8859_1);
                            for (int at = content.indexOf(value); at >= 0; at = content.indexOf(value, at + 1)) {
                                bytes[at - before] =
                                        change(bytes[at - before], change); // also in what is left of a former page
                            }
                        }))
                .iterator());
    }

    private static byte change(byte from, int change) {
        return (byte) (change == 0x00 || change == 0x80 ? change : from ^ change);
    }
}
