package dev.ttlstore.spring.transaction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.ttlstore.TextGroup;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.cache.StoreCache;
import dev.ttlstore.spring.cache.StoreCacheManager;
import dev.ttlstore.spring.cache.StoreCacheSettings;
import dev.ttlstore.spring.chatmemory.StoreChatMemoryRepository;
import dev.ttlstore.spring.lock.StoreLockRegistry;
import dev.ttlstore.spring.messagestore.StoreMessageStore;
import dev.ttlstore.spring.metadata.StoreMetadataStore;
import dev.ttlstore.spring.transaction.AdapterUses.Adapter;
import dev.ttlstore.spring.transaction.AdapterUses.Use;
import dev.ttlstore.spring.transaction.TransactionalApplication.Refusal;
import dev.ttlstore.spring.values.SpringValues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Which adapters take part in a transaction of the application, on PostgreSQL, as the table of the page about transactions says. Those that do not write in any
 * transaction, and what they have written stays.
 */
@SuppressWarnings("LockNotBeforeTry") // what happens to a lock that is held is what the tests are about
@ExtendWith(TransactionalApplication.Shared.class)
class AdaptersInTransactionsTests {

    private static boolean hasEntries(TransactionalApplication application) {
        return application.store().outsideTransaction().count() > 0;
    }

    @ParameterizedTest
    @MethodSource("dev.ttlstore.spring.transaction.AdapterUses#all")
    void onlyWhoTakesNoPartWritesInATransactionThatOnlyReads(Adapter adapter) {
        TransactionalApplication.run((application, other) -> {
            Use use = adapter.on().apply(application.store());
            if (adapter.takesPart()) {
                assertThatThrownBy(() -> application.service().read(use::write))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("to read only");
            } else {
                application.service().read(use::write);
            }
            assertThat(hasEntries(application)).isEqualTo(!adapter.takesPart());
        });
    }

    @ParameterizedTest
    @MethodSource("dev.ttlstore.spring.transaction.AdapterUses#all")
    void onlyWhoTakesNoPartWorksInATransactionWithRepeatableReads(Adapter adapter) {
        TransactionalApplication.run((application, other) -> {
            Use use = adapter.on().apply(application.store());
            if (adapter.takesPart()) {
                assertThatThrownBy(() -> application.service().repeatable(use::write))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("REPEATABLE READ");
            } else {
                application.service().repeatable(use::write);
            }
            assertThat(hasEntries(application)).isEqualTo(!adapter.takesPart());
        });
    }

    @ParameterizedTest
    @MethodSource("dev.ttlstore.spring.transaction.AdapterUses#all")
    void onlyWhoTakesPartHasConflictsWithAnotherTransaction(Adapter adapter) {
        TransactionalApplication.run((application, other) -> {
            Use use = adapter.on().apply(application.store());
            Runnable both = () -> application.service().run(() -> {
                use.write();
                application.service().separately(use::write);
            });
            if (adapter.takesPart()) {
                assertThatThrownBy(both::run).isInstanceOf(ConcurrencyFailureException.class);
            } else {
                both.run();
            }
            assertThat(hasEntries(application)).isTrue();
        });
    }

    @ParameterizedTest
    @MethodSource("dev.ttlstore.spring.transaction.AdapterUses#all")
    void onlyWhatTakesPartIsRolledBack(Adapter adapter) {
        TransactionalApplication.run((application, other) -> {
            Use use = adapter.on().apply(application.store());
            rollBack(application, use::write);
            assertThat(hasEntries(application)).isEqualTo(!adapter.takesPart());
            if (adapter.takesPart()) {
                use.write();
            }
            boolean[] removed = {false};
            rollBack(application, () -> removed[0] = use.remove());
            assertThat(hasEntries(application)).isEqualTo(adapter.takesPart() || !removed[0]);
        });
    }

    private static void rollBack(TransactionalApplication application, Runnable work) {
        assertThatThrownBy(() -> application.service().run(() -> {
                    work.run();
                    throw new Refusal();
                }))
                .isInstanceOf(Refusal.class);
    }

    /** Whatever they do with them. */
    @Test
    void changesOfDifferentMessageGroupsDoNotConflict() {
        TransactionalApplication.run((application, other) -> {
            StoreMessageStore messages = new StoreMessageStore(
                    application.store(), new JavaCodec(AllowedClasses.of(SpringValues.OF_MESSAGING), "property", null));
            application.service().run(() -> {
                changeAll(messages, "one");
                application.service().separately(() -> changeAll(messages, "another"));
            });
            assertThat(hasEntries(application)).isFalse();
        });
    }

    private static void changeAll(StoreMessageStore messages, String group) {
        messages.addMessagesToGroup(group, new GenericMessage<>("a"), new GenericMessage<>("b"));
        assertThat(messages.pollMessageFromGroup(group)).isNotNull();
        messages.removeMessagesFromGroup(group, messages.getMessagesForGroup(group));
        assertThat(messages.addMessageToGroup(group, new GenericMessage<>("c")).getMessages())
                .hasSize(1);
        messages.completeGroup(group);
        messages.removeMessageGroup(group);
    }

    /** As JPA does after the store has sent its writes, and listeners do after the commit. */
    @Test
    void whatIsWrittenOutsideDuringTheCommitNeitherWaitsNorIsRefusedAfterIt() {
        TransactionalApplication.run((application, other) -> {
            TextGroup outside = application.store().outsideTransaction().group("group");
            List<String> refusals = new ArrayList<>();
            application.service().run(() -> {
                application.group().put("inside", "value");
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCompletion() {
                        try {
                            outside.put("during", "value");
                        } catch (StoreException e) {
                            refusals.add(e.getMessage());
                        }
                    }

                    @Override
                    public void afterCommit() {
                        outside.put("after", "value");
                    }
                });
            });
            assertThat(refusals).singleElement().asString().contains("would wait in vain");
            assertThat(other.keys()).containsExactly("after", "inside");
        });
    }

    /** So a cached method may write, and what it writes is rolled back with its transaction. */
    @Test
    void whatALoaderOfACacheWritesIsPartOfTheTransaction() {
        TransactionalApplication.run((application, other) -> {
            JavaCodec codec = new JavaCodec(AllowedClasses.of(List.of()), "property", null);
            StoreCache cache = new StoreCacheManager(
                            application.store(), name -> new StoreCacheSettings(Duration.ZERO, true, codec), List.of())
                    .getCache("books");
            rollBack(application, () -> {
                Object unused = cache.get("loaded", () -> {
                    application.group().put("of the loader", "value");
                    return "value";
                });
            });
            assertThat(cache.get("loaded", String.class)).isEqualTo("value");
            assertThat(other.keys()).isEmpty();
        });
    }

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
