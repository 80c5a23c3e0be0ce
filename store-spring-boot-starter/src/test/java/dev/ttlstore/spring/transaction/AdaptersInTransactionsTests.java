package dev.ttlstore.spring.transaction;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.dao.ConcurrencyFailureException;

import dev.ttlstore.spring.chatmemory.StoreChatMemoryRepository;
import dev.ttlstore.spring.lock.StoreLockRegistry;
import dev.ttlstore.spring.metadata.StoreMetadataStore;
import dev.ttlstore.spring.transaction.TransactionalApplication.Refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which adapters take part in a transaction of the application, on PostgreSQL. */
@SuppressWarnings("LockNotBeforeTry") // what happens to a lock that is held is what the tests are about
@ExtendWith(TransactionalApplication.Shared.class)
class AdaptersInTransactionsTests {

    @Test
    void metadataAndChatsAreRolledBackAndLocksAreNot() {
        TransactionalApplication.run((application, other) -> {
            // So a message whose processing has failed can be received again.
            StoreMetadataStore metadata = new StoreMetadataStore(application.store(), Duration.ofDays(1));
            StoreChatMemoryRepository chats = new StoreChatMemoryRepository(application.store(), Duration.ofDays(1));
            StoreLockRegistry registry = new StoreLockRegistry(application.store(), Duration.ofMinutes(10));
            Lock lock = registry.obtain("name");
            Lock taken = new StoreLockRegistry(application.store(), Duration.ofMinutes(10)).obtain("name");
            assertThatThrownBy(() -> application.service().run(() -> {
                        assertThat(metadata.putIfAbsent("message", "seen")).isNull();
                        assertThat(metadata.putIfAbsent("message", "seen")).isEqualTo("seen");
                        chats.saveAll("chat", List.of(new UserMessage("Hello")));
                        assertThat(chats.findByConversationId("chat")).hasSize(1);
                        lock.lock();
                        lock.lock();
                        registry.renewLock("name");
                        assertThat(waitsInVain(taken)).isTrue();
                        throw new Refusal();
                    }))
                    .isInstanceOf(Refusal.class);
            assertThat(metadata.get("message")).isNull();
            assertThat(chats.findConversationIds()).isEmpty();
            assertThat(taken.tryLock()).isFalse();
            lock.unlock();
            application.service().run(() -> {
                assertThat(metadata.putIfAbsent("message", "seen")).isNull();
                chats.saveAll("chat", List.of(new UserMessage("Hello")));
                lock.unlock();
                assertThat(taken.tryLock()).as("free before the commit").isTrue();
            });
            assertThat(metadata.get("message")).isEqualTo("seen");
            assertThat(chats.findConversationIds()).containsExactly("chat");
            taken.unlock();
        });
    }

    @Test
    void ofTwoThatNoteTheSameMessageAtOnceOneIsRolledBack() {
        TransactionalApplication.run((application, other) -> {
            StoreMetadataStore metadata = new StoreMetadataStore(application.store(), Duration.ofDays(1));
            assertThatThrownBy(() -> application.service().run(() -> {
                        assertThat(metadata.putIfAbsent("message", "first")).isNull();
                        application.service().separately(() -> assertThat(metadata.putIfAbsent("message", "second"))
                                .isNull());
                    }))
                    .isInstanceOf(ConcurrencyFailureException.class);
            assertThat(metadata.get("message")).isEqualTo("second");
        });
    }

    private static boolean waitsInVain(Lock lock) {
        try {
            return !lock.tryLock(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
