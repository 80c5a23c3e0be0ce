package dev.ttlstore.spring.encryption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.FileSystemUtils;

import com.google.crypto.tink.Aead;

import dev.ttlstore.Codec;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.spring.StoreRunner;
import dev.ttlstore.spring.autoconfigure.StoreBuilderCustomizer;
import dev.ttlstore.spring.backup.StoreBackupAutoConfiguration;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class StoreEncryptionAutoConfigurationTests {

    private static final String MARKER = "the launch code is 0000";

    @TempDir
    private Path folder;

    /** An application with its data in one folder and its keyset in another. */
    private ApplicationContextRunner plain() {
        return StoreRunner.at(folder.resolve("data"));
    }

    private ApplicationContextRunner encrypted() {
        return plain().withPropertyValues(
                        "store.encryption.groups=secrets,*:secrets", "store.encryption.keyset=file:" + keyset());
    }

    private ApplicationContextRunner creating() {
        return encrypted().withPropertyValues("store.encryption.create-keyset=true");
    }

    private Path keyset() {
        return folder.resolve("keys").resolve("keyset.json");
    }

    private static TextGroup secrets(AssertableApplicationContext context) {
        return context.getBean(Store.class).group("secrets");
    }

    @Test
    void withoutGroupsNothingIsEncryptedAndThereIsNoCipher() {
        plain().run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(ValueCipher.class);
            assertThat(context).doesNotHaveBean(EncryptionCustomizer.class);
        });
        plain().withPropertyValues("store.encryption.groups=")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ValueCipher.class));
    }

    @Test
    void theGroupsThatAreNamedAreEncryptedAndTheOthersAreNot() {
        creating().run(context -> {
            Store store = context.getBean(Store.class);
            store.group("secrets").put("key", MARKER);
            store.scope("acme").group("secrets").put("key", MARKER);
            assertThat(filesWith(MARKER)).isEmpty();
            assertThat(store.group("secrets").get("key")).contains(MARKER);
            assertThat(store.scope("acme").group("secrets").get("key")).contains(MARKER);
            store.group("mail").put("key", MARKER);
            assertThat(filesWith(MARKER)).isNotEmpty();
        });
    }

    @Test
    void whatIsEncryptedIsThereAfterTheNextStartAndTheKeysetIsMadeOnce() throws IOException {
        creating().run(context -> secrets(context).put("key", MARKER, Duration.ofHours(1)));
        String text = Files.readString(keyset());
        creating().run(context -> assertThat(secrets(context).get("key")).contains(MARKER));
        encrypted().run(context -> assertThat(secrets(context).get("key")).contains(MARKER));
        assertThat(keyset()).hasContent(text);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void theKeysetThatIsMadeIsForItsOwnerAloneAndToldWithWhatItsLossMeans(CapturedOutput output) throws IOException {
        creating().run(context -> assertThat(context).hasNotFailed());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keyset())))
                .isEqualTo("rw-------");
        assertThat(output)
                .contains("Created the keyset " + keyset(), "lost without it")
                .doesNotContain("is in the same folder as the store", "WARN")
                .doesNotContain(keyMaterial());
    }

    /** The key itself, as it is in the file. */
    private String keyMaterial() throws IOException {
        String text = Files.readString(keyset());
        String value = text.substring(text.indexOf("\"value\":\"") + 9);
        return value.substring(0, value.indexOf('"'));
    }

    @Test
    void aKeysetBesideTheDataIsWarnedOfAtEachStart(CapturedOutput output) {
        ApplicationContextRunner beside =
                creating().withPropertyValues("store.encryption.keyset=" + folder.resolve("data/keyset.json"));
        beside.run(context -> assertThat(context).hasNotFailed());
        beside.run(context -> assertThat(context).hasNotFailed());
        assertThat(output.getOut().split("is in the same folder as the store", -1))
                .hasSize(3);
        assertThat(folder.resolve("data/keyset.json")).exists();
    }

    @Tag("variant")
    @Test
    void anotherKeysetInItsPlaceIsToldAtTheStart(CapturedOutput output) throws IOException {
        creating().run(context -> secrets(context).put("key", MARKER));
        encrypted().run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("may not decrypt");
        Path first = Files.move(keyset(), keyset().resolveSibling("first.json"));
        StoreKeyset.create(keyset());
        encrypted().run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce("may not decrypt")
                .contains("'secrets'")
                .doesNotContain(MARKER);
        Files.move(first, keyset(), StandardCopyOption.REPLACE_EXISTING);
        encrypted().run(context -> assertThat(secrets(context).get("key")).contains(MARKER));
        assertThat(output).containsOnlyOnce("may not decrypt");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aKeysetThatOthersMayReadIsWarnedOf(CapturedOutput output) throws IOException {
        StoreKeyset.create(keyset());
        Files.setPosixFilePermissions(keyset(), PosixFilePermissions.fromString("rw-r-----"));
        encrypted().run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("Users other than the owner have access to the keyset", "(rw-r-----)");
    }

    private void assertNoKeysetIsMade(ApplicationContextRunner runner, String group) {
        runner.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreKeysetException.class)
                .hasMessageContainingAll(
                        keyset().toString(),
                        folder.resolve("data/store.db").toString(),
                        "'" + group + "'",
                        "restore it",
                        "'store.encryption.read-plain=true'"));
        assertThat(keyset().getParent()).doesNotExist();
    }

    @Tag("variant")
    @Test
    void noKeysetIsMadeInPlaceOfALostOneWhichStillOpensWhatItSealed() throws IOException {
        creating().run(context -> secrets(context).put("key", MARKER, Duration.ofHours(1)));
        Path away = Files.move(keyset().getParent(), folder.resolve("away"));
        assertNoKeysetIsMade(creating(), "secrets");
        Files.move(away, keyset().getParent());
        creating().run(context -> assertThat(secrets(context).get("key")).contains(MARKER));
    }

    @Test
    void noKeysetIsMadeForAGroupOfAScopeThatHasEntries() {
        plain().run(context ->
                context.getBean(Store.class).scope("acme").group("secrets").put("key", MARKER));
        assertNoKeysetIsMade(creating(), "acme:secrets");
    }

    @Test
    void noKeysetIsMadeForABackupThatIsRestored() throws IOException {
        Path backups = Files.createDirectories(folder.resolve("backups"));
        creating().run(context -> {
            secrets(context).put("key", MARKER);
            context.getBean(Store.class).backup(backups.resolve("store.db.1.backup"));
        });
        FileSystemUtils.deleteRecursively(folder.resolve("data"));
        FileSystemUtils.deleteRecursively(keyset().getParent());
        assertNoKeysetIsMade(
                creating()
                        .withConfiguration(AutoConfigurations.of(StoreBackupAutoConfiguration.class))
                        .withPropertyValues(
                                "store.backup.enabled=true",
                                "store.backup.restore=true",
                                "store.backup.folder=" + backups),
                "secrets");
    }

    @Test
    void aKeysetIsMadeForAStoreThatHasNothingWhichItWouldHaveToOpen(CapturedOutput output) {
        Instant start = Instant.now();
        plain().run(context -> {
            secrets(context).put("deleted", MARKER);
            secrets(context).delete("deleted");
            secrets(context).put("expired", MARKER, Duration.ofHours(1));
            context.getBean(Store.class).group("mail").put("key", MARKER);
        });
        creating()
                .withBean(InstantSource.class, () -> () -> start.plus(Duration.ofHours(2)))
                .run(context -> assertThat(
                                context.getBean(Store.class).group("mail").get("key"))
                        .contains(MARKER));
        assertThat(output).contains("Created the keyset " + keyset()).doesNotContain("WARN");
    }

    @Tag("variant")
    @Test
    void noKeysetIsMadeForAStoreInMemoryWhateverIsInTheFile() {
        plain().run(context -> secrets(context).put("key", MARKER));
        creating().withPropertyValues("store.in-memory=true").run(context -> {
            secrets(context).put("key", MARKER);
            assertThat(secrets(context).get("key")).contains(MARKER);
        });
        assertThat(keyset()).doesNotExist();
    }

    @Test
    void aKeysetThatIsMissingFailsTheStartBeforeAnythingIsWritten() {
        encrypted().run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreKeysetException.class)
                .hasMessageContaining(keyset().toString())
                .hasMessageContaining("store.encryption.create-keyset"));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void groupsWithoutAKeysetFailTheStartBeforeAnythingIsWritten() {
        plain().withPropertyValues("store.encryption.groups=secrets").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreKeysetException.class)
                .hasMessageContaining("store.encryption.keyset"));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aKeysetThatIsNoneFailsTheStartAndIsNotReplaced() throws IOException {
        Files.createDirectories(keyset().getParent());
        Files.writeString(keyset(), MARKER);
        creating().run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(StoreKeysetException.class)
                .message()
                .contains(keyset().toString())
                .doesNotContain(MARKER));
        assertThat(keyset()).hasContent(MARKER);
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Tag("variant")
    @Test
    void aKeysetOfTheClassPathCanBeUsedAndCannotBeMade() {
        plain().withPropertyValues(
                        "store.encryption.groups=secrets",
                        "store.encryption.keyset=classpath:no-such-keyset.json",
                        "store.encryption.create-keyset=true")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(StoreKeysetException.class)
                        .hasMessageContaining("no-such-keyset.json"));
        plain().withPropertyValues(
                        "store.encryption.groups=secrets", "store.encryption.keyset=classpath:keyset-of-a-test.json")
                .run(context -> {
                    secrets(context).put("key", MARKER);
                    assertThat(secrets(context).get("key")).contains(MARKER);
                    assertThat(filesWith(MARKER)).isEmpty();
                });
    }

    @Test
    void aStoreInMemoryNeedsNoKeyset() {
        plain().withPropertyValues("store.encryption.groups=*", "store.in-memory=true")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(ValueCipher.class);
                    secrets(context).put("key", MARKER);
                    assertThat(secrets(context).get("key")).contains(MARKER);
                });
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void withoutTinkTheStartFailsByItsNameBeforeAnythingIsWritten() {
        creating().withClassLoader(new FilteredClassLoader(Aead.class)).run(context -> assertThat(context)
                .getFailure()
                .hasRootCauseInstanceOf(ClassNotFoundException.class)
                .hasStackTraceContaining(MissingLibraryException.class.getName()));
        assertThat(folder).isEmptyDirectory();
    }

    /** Turns values around. */
    private static final class Turning implements ValueCipher {

        @Override
        public byte[] seal(String group, String key, byte[] value) {
            byte[] turned = new byte[value.length];
            for (int i = 0; i < value.length; i++) {
                turned[i] = value[value.length - 1 - i];
            }
            return turned;
        }

        @Override
        public byte[] open(String group, String key, byte[] sealed) {
            return seal(group, key, sealed);
        }
    }

    @Test
    void aCipherOfTheApplicationTakesThePlaceOfTinkAndItsKeyset() {
        creating()
                .withClassLoader(new FilteredClassLoader(Aead.class))
                .withBean(ValueCipher.class, Turning::new)
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(ValueCipher.class);
                    secrets(context).put("key", MARKER);
                    assertThat(filesWith(MARKER)).isEmpty();
                    assertThat(filesWith("0000 si edoc hcnual eht")).isNotEmpty();
                    assertThat(secrets(context).get("key")).contains(MARKER);
                });
        assertThat(keyset()).doesNotExist();
    }

    @Tag("variant")
    @Test
    void aStoreOfTheApplicationThatIsNotEncryptedIsWarnedOf(CapturedOutput output) {
        creating().withBean("own", Store.class, Store::inMemory).run(context -> assertThat(context)
                .hasNotFailed());
        assertThat(output).contains("The application opens its own Store, so 'store.encryption.groups' has no effect");
    }

    @Test
    void whatWasThereBeforeIsReadForTheTimeOfAMigrationAndSealedByAnUpdate(CapturedOutput output) {
        byte[] binary = {-1};
        plain().run(context -> {
            secrets(context).put("key", MARKER, Duration.ofHours(1));
            context.getBean(Store.class).group("secrets", byte[].class).put("binary", binary);
        });
        assertNoKeysetIsMade(creating(), "secrets");
        creating().withPropertyValues("store.encryption.read-plain=true").run(context -> {
            assertThat(secrets(context).get("key")).contains(MARKER);
            Group<byte[]> secrets = context.getBean(Store.class).group("secrets", byte[].class);
            secrets.keys().forEach(key -> secrets.update(key, value -> value));
            assertThat(secrets.entry("key").orElseThrow().expiresAt()).isNotNull();
            assertThat(secrets.get("binary")).contains(binary);
        });
        assertThat(output).contains("turn off 'store.encryption.read-plain'");
        encrypted().run(context -> assertThat(secrets(context).get("key")).contains(MARKER));
    }

    @Test
    void keysAreRotatedByANewPrimaryOneAndAnUpdateOfAllValues() {
        creating().run(context -> secrets(context).put("key", MARKER, Duration.ofHours(1)));
        Path keyset = keyset();
        StoreKeyset.rotate(keyset);
        encrypted().run(context -> {
            Store store = context.getBean(Store.class);
            assertThat(store.group("secrets").get("key")).contains(MARKER);
            Group<byte[]> secrets = store.group("secrets", byte[].class);
            secrets.keys().forEach(key -> secrets.update(key, value -> value));
            assertThat(secrets.entry("key").orElseThrow().expiresAt()).isNotNull();
        });
        StoreKeyset.removeOldKeys(keyset);
        encrypted().run(context -> assertThat(secrets(context).get("key")).contains(MARKER));
    }

    @Tag("variant")
    @Test
    void whatWasNotUpdatedIsLostWithItsKey() {
        creating().run(context -> secrets(context).put("key", MARKER));
        StoreKeyset.rotate(keyset());
        StoreKeyset.removeOldKeys(keyset());
        encrypted().run(context -> assertThatExceptionOfType(SealedValueException.class)
                .isThrownBy(() -> secrets(context).get("key")));
    }

    @Test
    void theLastCustomizerHasTheLastWord() {
        creating()
                .withBean(
                        StoreBuilderCustomizer.class,
                        () -> builder -> builder.encrypt(group -> group.equals("mail"), new Turning()))
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("mail").put("key", "abc");
                    store.group("secrets").put("key", "abc");
                    context.close();
                    try (Store again = Store.open(folder.resolve("data/store.db"))) {
                        assertThat(again.group("mail").get("key")).contains("cba");
                        assertThat(again.group("secrets", Codec.bytes())
                                        .get("key")
                                        .orElseThrow())
                                .hasSize(3);
                    }
                });
    }

    private List<Path> filesWith(String text) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("data"))) {
            return files.filter(file -> has(file, text)).toList();
        }
    }

    private static boolean has(Path file, String text) {
        try {
            return Files.readString(file, ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
