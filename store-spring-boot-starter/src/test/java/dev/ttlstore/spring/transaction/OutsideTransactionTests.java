package dev.ttlstore.spring.transaction;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.spring.lock.StoreLockProvider;
import dev.ttlstore.spring.ratelimit.StoreProxyManager;
import dev.ttlstore.spring.security.StoreOneTimeTokenService;
import dev.ttlstore.spring.security.StorePersistentTokenRepository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mockito.Mockito.mock;

class OutsideTransactionTests {

    @Test
    void aStoreInAFileIsUsedAsItIs() {
        try (Store store = Store.inMemory()) {
            assertThat((Object) OutsideTransaction.of(store)).isSameAs(store);
        }
    }

    /** Its application has to start, although no adapter can do anything. */
    @Test
    void aMockedStoreHasAdapters() {
        Store mocked = mock(Store.class);
        assertThat((Object) OutsideTransaction.of(mocked)).isSameAs(mocked);
        assertThat(new StoreLockProvider(mocked)).isNotNull();
        assertThat(StoreProxyManager.builderFor(mocked).build()).isNotNull();
        assertThat(new StoreOneTimeTokenService(mocked)).isNotNull();
        assertThat(new StorePersistentTokenRepository(mocked, Duration.ofDays(1)))
                .isNotNull();
    }

    @Test
    @SuppressWarnings("NullAway") // that is what is refused
    void aMissingStoreIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> OutsideTransaction.of(null))
                .withMessageContaining("'store'");
    }
}
