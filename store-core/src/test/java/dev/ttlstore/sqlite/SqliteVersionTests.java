package dev.ttlstore.sqlite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.EngineVersionException;
import dev.ttlstore.exception.NativeLibraryException;
import dev.ttlstore.exception.StoreEngineException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Promise(21)
class SqliteVersionTests {

    @ParameterizedTest
    @ValueSource(strings = {"3.7.0", "3.9.2", "3.46.1", "3.50.4", "3.51.0", "3.51.2"})
    void aVersionThatCanCorruptAWalIsRefused(String version) {
        assertThatExceptionOfType(EngineVersionException.class)
                .isThrownBy(() -> NativeLibrary.requireSafe(version))
                .withMessageContaining(version)
                .withMessageContaining("sqlite-jdbc")
                .satisfies(failure -> {
                    assertThat(failure.version()).isEqualTo(version);
                    assertThat(failure.firstSafeVersion()).isEqualTo("3.51.3");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.51.3", "3.51.10", "3.52.0", "3.53.2", "3.100.0", "4.0.0"})
    void aLaterVersionIsAccepted(String version) {
        assertThatCode(() -> NativeLibrary.requireSafe(version)).doesNotThrowAnyException();
    }

    /** Drivers before 3.47 lack methods that the store calls. */
    @Test
    void aDriverThatLacksAMethodIsToldAsTooOldAndNotAsOneThatCannotBeUnpacked() {
        StoreEngineException failure = NativeLibrary.notLinked(new NoSuchMethodError("setGetGeneratedKeys"));
        assertThat(failure)
                .isInstanceOf(EngineVersionException.class)
                .hasMessageContaining("lacks features that the store needs")
                .hasMessageContaining("sqlite-jdbc in version 3.51.3.0 or later");
        assertThat(NativeLibrary.notLinked(new UnsatisfiedLinkError("no libsqlitejdbc")))
                .isInstanceOf(NativeLibraryException.class);
        assertThat(NativeLibrary.notLinked(new NoClassDefFoundError("org/sqlite/SQLiteConfig")))
                .hasMessageContaining("Add org.xerial:sqlite-jdbc");
    }
}
