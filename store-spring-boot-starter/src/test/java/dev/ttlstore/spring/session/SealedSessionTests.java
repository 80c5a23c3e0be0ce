package dev.ttlstore.spring.session;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.Store;
import dev.ttlstore.UnreadableValues;
import dev.ttlstore.ValueCipher;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Sessions in a file that were encrypted with a key that is no longer there. */
class SealedSessionTests extends SessionKit {

    @TempDir
    private Path folder;

    private @Nullable Store store;

    @Override
    Store store() {
        return requireNonNull(store);
    }

    private Store open(int key, UnreadableValues unreadable) {
        store = Store.builder()
                .path(folder.resolve("store.db"))
                .encrypt(StoreSessionRepository.GROUP::equals, new Marked((byte) key))
                .unreadableValues(unreadable)
                .open();
        return store;
    }

    /** Adds the key to a value, and opens no value with another one. */
    private record Marked(byte key) implements ValueCipher {

        @Override
        public byte[] seal(String group, String name, byte[] value) {
            byte[] sealed = Arrays.copyOf(value, value.length + 1);
            sealed[value.length] = key;
            return sealed;
        }

        @Override
        public byte[] open(String group, String name, byte[] sealed) throws GeneralSecurityException {
            if (sealed[sealed.length - 1] != key) {
                throw new GeneralSecurityException("another key");
            }
            return Arrays.copyOf(sealed, sealed.length - 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void allSessionsOfAUserAreFoundAndDeleted(UnreadableValues unreadable) {
        String lost;
        try (Store before = open(1, unreadable)) {
            lost = saved(repository(), PRINCIPAL, "ann").getId();
            assertThat(before.group(StoreSessionRepository.GROUP).count()).isOne();
        }
        try (Store after = open(2, unreadable)) {
            String present = saved(repository(), PRINCIPAL, "ann").getId();
            assertThat(repository().findById(lost)).isNull();
            assertThat(of(repository(), "ann")).hasSize(2).containsKey(present);
            of(repository(), "ann").keySet().forEach(repository()::deleteById);
            assertThat(after.group(StoreSessionRepository.GROUP).count()).isZero();
            assertThat(of(repository(), "ann")).isEmpty();
        }
    }
}
