package dev.ttlstore.spring.transaction;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the store does in each phase of Spring's transactions: before and after their commit. */
@Tag("postgresql")
@ExtendWith(TransactionalApplication.Shared.class)
class TransactionPhasesTests {

    /** An event of the application. */
    record Ordered(int id) {}

    /** Another one. */
    record Cancelled(boolean fails) {}

    /** Listeners that write to the store in each phase, and one for the store's own events. */
    static class Listeners {
        private final Store store;
        private final Queue<String> seen = new ConcurrentLinkedQueue<>();

        Listeners(Store store) {
            this.store = store;
        }

        /** Returns what has been seen so far, and forgets it. */
        List<String> takeSeen() {
            List<String> taken = List.copyOf(seen);
            seen.clear();
            return taken;
        }

        private void write(String key) {
            seen.add(key + store.group("group").keys().toList());
            store.group("group").put(key, "value");
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void before(Ordered ordered) {
            write("before");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        void after(Ordered ordered) {
            write("after");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        void rolledBack(Ordered ordered) {
            write("rolled back");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        void completed(Ordered ordered) {
            write("completed");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void separately(Cancelled cancelled) {
            write("separate");
            if (cancelled.fails()) {
                throw new TransactionalApplication.Refusal();
            }
        }
    }

    private static void run(BiConsumer<TransactionalApplication, TextGroup> test, String... properties) {
        TransactionalApplication.runWith(Listeners.class, test, properties);
    }

    @Test
    void listenersOfAllPhasesCanWrite() {
        run((application, seen) -> {
            Listeners listeners = application.context().getBean(Listeners.class);
            List<String> unused = listeners.takeSeen(); // of other tests
            application.service().run(() -> {
                application.group().put("key", "value");
                ((ApplicationEventPublisher) application.context()).publishEvent(new Ordered(1));
            });
            assertThat(seen.keys()).containsExactly("after", "before", "completed", "key");
            assertThat(listeners.takeSeen())
                    .containsExactly("before[key]", "after[before, key]", "completed[after, before, key]");
            assertThatExceptionOfType(TransactionalApplication.Refusal.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        application.store().deleteGroup("group");
                        ((ApplicationEventPublisher) application.context()).publishEvent(new Ordered(2));
                        throw new TransactionalApplication.Refusal();
                    }));
            assertThat(seen.keys()).containsExactly("after", "before", "completed", "key", "rolled back");
        });
    }

    @Test
    void aListenerAfterTheCommitCanBeginATransactionOfItsOwn() {
        run((application, seen) -> {
            for (boolean fails : new boolean[] {true, false}) {
                application.service().run(() -> {
                    ((ApplicationEventPublisher) application.context()).publishEvent(new Cancelled(fails));
                    application.group().put("key", "value");
                });
                assertThat(seen.get("key")).contains("value");
                assertThat(seen.contains("separate")).isEqualTo(!fails);
            }
        });
    }

    @Test
    void aListenerBeforeTheCommitInWhichTheStoreIsFirstUsedWrites() {
        run((application, seen) -> {
            application.service().run(() -> ((ApplicationEventPublisher) application.context())
                    .publishEvent(new Ordered(1)));
            assertThat(seen.keys()).containsExactly("after", "before", "completed");
        });
    }

    /** Where a synchronization may use the store. */
    enum Phase {
        BEFORE_COMMIT,
        BEFORE_COMPLETION,
        AFTER_COMMIT,
        AFTER_COMPLETION
    }

    private record Writing(Phase phase, Runnable work) implements TransactionSynchronization {

        private void at(Phase now) {
            if (now == phase) {
                work.run();
            }
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            at(Phase.BEFORE_COMMIT);
        }

        @Override
        public void beforeCompletion() {
            at(Phase.BEFORE_COMPLETION);
        }

        @Override
        public void afterCommit() {
            at(Phase.AFTER_COMMIT);
        }

        @Override
        public void afterCompletion(int status) {
            at(Phase.AFTER_COMPLETION);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsLostThatASynchronizationWritesInAnyPhase(Phase phase) {
        run((application, seen) -> {
            application
                    .service()
                    .run(() -> TransactionSynchronizationManager.registerSynchronization(
                            new Writing(phase, () -> application.group().put("key", "value"))));
            assertThat(seen.keys()).containsExactly("key");
            application.service().run(() -> {
                application.group().put("first", "value");
                TransactionSynchronizationManager.registerSynchronization(new Writing(
                        phase, () -> application.store().group("other").put("key", "value")));
            });
            assertThat(seen.keys()).containsExactly("first", "key");
            assertThat(application.store().group("other").get("key")).contains("value");
            assertThat(application.nextEvent().type()).isEqualTo("put");
        });
    }

    /** It would otherwise keep others waiting until all listeners have run. */
    @Test
    void aWriteAfterTheCommitIsCommittedAtOnce() {
        run((application, seen) -> application.service().run(() -> {
            application.order(1);
            TransactionSynchronizationManager.registerSynchronization(new Writing(Phase.AFTER_COMMIT, () -> {
                application.group().put("key", "value");
                assertThat(seen.get("key")).contains("value");
                seen.put("other", "value");
                assertThat(application.group().get("other")).contains("value");
            }));
        }));
    }

    /** It runs within the commit of the outer transaction, but its own are only beginning. */
    @Test
    void aListenerAfterTheCommitHoldsNoLockInATransactionOfItsOwn() {
        run((application, seen) -> {
            TransactionalApplication.Service service = application.service();
            service.run(() -> TransactionSynchronizationManager.registerSynchronization(new Writing(
                    Phase.AFTER_COMMIT,
                    () -> service.separately(() -> {
                        application.group().put("listener", "value");
                        seen.put("other", "value");
                        service.separately(() -> application.group().put("within", "value"));
                        assertThat(seen.get("listener")).isEmpty();
                    }))));
            assertThat(seen.keys()).containsExactly("listener", "other", "within");
        });
    }

    @Test
    void aListenerAfterTheCommitDoesNotReadWhatTheNearCacheHadBefore() {
        run(
                (application, seen) -> {
                    Queue<String> read = new ConcurrentLinkedQueue<>();
                    application.group().put("key", "before");
                    assertThat(application.group().get("key")).contains("before");
                    application.service().run(() -> {
                        AfterCommit.run(
                                () -> read.add(application.group().get("key").orElseThrow()));
                        application.group().put("key", "after");
                    });
                    assertThat(read).containsExactly("after");
                },
                "store.near-cache.max-size=1MB");
    }

    @Test
    void workAfterTheCommitRunsThenAndNotAfterARollback() {
        run((application, seen) -> {
            application.service().run(() -> {
                AfterCommit.run(() -> application.group().put("after", "value"));
                assertThat(application.group().get("after")).isEmpty();
            });
            assertThat(seen.get("after")).contains("value");
            assertThatExceptionOfType(TransactionalApplication.Refusal.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        AfterCommit.run(() -> application.group().put("rolled back", "value"));
                        throw new TransactionalApplication.Refusal();
                    }));
            assertThat(seen.get("rolled back")).isEmpty();
            application
                    .service()
                    .run(() -> AfterCommit.run(
                            () -> AfterCommit.run(() -> application.group().put("within", "value"))));
            assertThat(seen.get("within")).contains("value");
            AfterCommit.run(() -> application.group().put("at once", "value"));
            assertThat(seen.get("at once")).contains("value");
        });
    }
}
