package dev.ttlstore.spring.encryption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.abort;

class StoreKeysetTests {

    private static final byte[] VALUE = {1, 2, 3};

    @TempDir
    private Path folder;

    private Path file = Path.of("unset");

    @BeforeEach
    void nameFile() {
        file = folder.resolve("keys").resolve("keyset.json");
    }

    private TinkValueCipher cipher() {
        return StoreKeyset.cipher(new FileSystemResource(file));
    }

    @Test
    void aKeysetIsMadeOnceAndItsCipherIsTheSameEachTime() throws Exception {
        assertThat(StoreKeyset.create(file)).isTrue();
        byte[] sealed = cipher().seal("group", "key", VALUE);
        String text = Files.readString(file);
        assertThat(StoreKeyset.create(file)).isFalse();
        assertThat(file).hasContent(text);
        assertThat(cipher().open("group", "key", sealed)).isEqualTo(VALUE);
        assertThat(filesBeside()).containsExactly("keyset.json");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void itAndItsFolderAreForTheirOwnerAlone() throws IOException {
        StoreKeyset.create(file);
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(permissions(folder.resolve("keys"))).isEqualTo("rwx------");
        StoreKeyset.rotate(file);
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(filesBeside()).containsExactly("keyset.json");
    }

    @Test
    void anInterruptIsNoBrokenPath() throws Exception {
        Thread.currentThread().interrupt();
        boolean created = StoreKeyset.create(file);
        StoreKeyset.rotate(file);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(created).isTrue();
        assertThat(filesBeside()).containsExactly("keyset.json");
    }

    @Test
    void ofManyThatMakeItAtOnceOneDoesAndNoneReplacesIt() throws Exception {
        int threads = 8;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Future<Boolean>> made = new ArrayList<>();
            List<TinkValueCipher> ciphers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                made.add(executor.submit(() -> {
                    start.await(30, TimeUnit.SECONDS);
                    boolean created = StoreKeyset.create(file);
                    TinkValueCipher cipher = cipher();
                    synchronized (ciphers) {
                        ciphers.add(cipher);
                    }
                    return created;
                }));
            }
            int winners = 0;
            for (Future<Boolean> one : made) {
                winners += one.get(30, TimeUnit.SECONDS) ? 1 : 0;
            }
            assertThat(winners).isOne();
            byte[] sealed = cipher().seal("group", "key", VALUE);
            for (TinkValueCipher cipher : ciphers) {
                assertThat(cipher.open("group", "key", sealed)).isEqualTo(VALUE);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void afterARotationTheNewKeySealsAndTheOldOneStillOpens() throws Exception {
        StoreKeyset.create(file);
        TinkValueCipher before = cipher();
        byte[] old = before.seal("group", "key", VALUE);
        StoreKeyset.rotate(file);
        TinkValueCipher after = cipher();
        assertThat(after.open("group", "key", old)).isEqualTo(VALUE);
        byte[] sealed = after.seal("group", "key", VALUE);
        assertThatExceptionOfType(Exception.class).isThrownBy(() -> before.open("group", "key", sealed));
    }

    @Test
    void whileInstancesRestartOneByOneEachReadsWhatTheOthersWrite() throws Exception {
        StoreKeyset.create(file);
        TinkValueCipher before = cipher();
        StoreKeyset.addKey(file);
        TinkValueCipher added = cipher();
        assertThat(before.open("group", "key", added.seal("group", "key", VALUE)))
                .isEqualTo(VALUE);
        StoreKeyset.useNewestKey(file);
        TinkValueCipher after = cipher();
        byte[] sealed = after.seal("group", "key", VALUE);
        assertThat(added.open("group", "key", sealed)).isEqualTo(VALUE);
        assertThat(after.open("group", "key", added.seal("group", "key", VALUE)))
                .isEqualTo(VALUE);
        assertThatExceptionOfType(Exception.class).isThrownBy(() -> before.open("group", "key", sealed));
    }

    @Test
    void whenTheOldKeysAreRemovedTheNewestAloneOpens() throws Exception {
        StoreKeyset.create(file);
        byte[] first = cipher().seal("group", "key", VALUE);
        StoreKeyset.rotate(file);
        byte[] second = cipher().seal("group", "key", VALUE);
        StoreKeyset.rotate(file);
        byte[] third = cipher().seal("group", "key", VALUE);
        StoreKeyset.removeOldKeys(file);
        TinkValueCipher last = cipher();
        assertThat(last.open("group", "key", third)).isEqualTo(VALUE);
        for (byte[] old : List.of(first, second)) {
            assertThatExceptionOfType(Exception.class).isThrownBy(() -> last.open("group", "key", old));
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aKeysetBehindALinkIsReplacedWhereItIs() throws IOException {
        StoreKeyset.create(file);
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), file);
        String before = Files.readString(file);
        StoreKeyset.rotate(link);
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(file)).isNotEqualTo(before);
    }

    /** Otherwise an application does not start any more after an administrator has rotated its keys. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aRotationLeavesTheKeysetToItsOwner() throws IOException {
        StoreKeyset.create(file);
        UserPrincipal owner =
                file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        try {
            Files.setOwner(file, owner);
        } catch (IOException e) {
            abort("only an administrator can give files away: " + e);
        }
        StoreKeyset.rotate(file);
        assertThat(Files.getOwner(file)).isEqualTo(owner);
        StoreKeyset.removeOldKeys(file);
        assertThat(Files.getOwner(file)).isEqualTo(owner);
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "s3cr3t",
                "{\"primaryKeyId\":1,\"key\":[]}",
                "{\"primaryKeyId\":1,\"key\":[{\"keyData\":{\"typeUrl\":\"type.googleapis.com/google.crypto.tink.AesGcmKey\","
                        + "\"value\":\"s3cr3t\",\"keyMaterialType\":\"SYMMETRIC\"},\"status\":\"ENABLED\",\"keyId\":1,"
                        + "\"outputPrefixType\":\"TINK\"}]}"
            })
    void whatIsNoKeysetIsRefusedWithoutBeingQuotedAndStaysAsItIs(String text) throws IOException {
        Files.createDirectories(folder.resolve("keys"));
        Files.writeString(file, text);
        assertThatExceptionOfType(StoreKeysetException.class)
                .isThrownBy(this::cipher)
                .withNoCause()
                .withMessageContaining(file.toString())
                .withMessageNotContainingAny("s3cr3t")
                .satisfies(e -> assertThat(e.location()).isEqualTo(file.toString()));
        assertThatExceptionOfType(StoreKeysetException.class).isThrownBy(() -> StoreKeyset.rotate(file));
        assertThatExceptionOfType(StoreKeysetException.class).isThrownBy(() -> StoreKeyset.removeOldKeys(file));
        assertThat(StoreKeyset.create(file)).isFalse();
        assertThat(file).hasContent(text);
    }

    @Test
    void aKeysetThatIsNotThereIsToldSo() {
        assertThatExceptionOfType(StoreKeysetException.class)
                .isThrownBy(this::cipher)
                .withMessageContaining("does not exist");
        assertThatExceptionOfType(StoreKeysetException.class)
                .isThrownBy(() -> StoreKeyset.rotate(file))
                .withMessageContaining("does not exist");
    }

    @Test
    void aKeysetThatCannotBeWrittenIsToldSo() throws IOException {
        Files.writeString(folder.resolve("keys"), "no folder");
        assertThatExceptionOfType(StoreKeysetException.class)
                .isThrownBy(() -> StoreKeyset.create(file))
                .withMessageContaining("cannot be written");
    }

    private List<String> filesBeside() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("keys"))) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
