package dev.ttlstore.spring.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.TransactionConflictException;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** How transactions end that cannot be committed: conflicts, timeouts and deadlocks. */
@Tag("postgresql")
@ExtendWith(TransactionalApplication.Shared.class)
class TransactionFailuresTests {

    @Test
    void aConflictRollsTheTransactionBack() {
        TransactionalApplication.run((application, seen) -> {
            application.group().put("key", "before");
            assertThatExceptionOfType(ConcurrencyFailureException.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        application.order(1);
                        application
                                .group()
                                .put("copy", application.group().get("key").orElseThrow());
                        seen.put("key", "changed");
                    }))
                    .withMessageContaining("the group 'group'")
                    .withMessageContaining("Run the whole transaction again")
                    .withCauseInstanceOf(TransactionConflictException.class);
            assertThat(application.orders()).isZero();
            assertThat(seen.keys()).containsExactly("key");
        });
    }

    /** As the documents show it. */
    @Test
    void aGenericRetryRunsTheTransactionAgainAfterAConflict() {
        AtomicInteger runs = new AtomicInteger();
        TransactionalApplication.runWith(Retrying.class, (application, seen) -> {
            application.context().getBean(Retried.class).run(() -> {
                application.order(1);
                application
                        .group()
                        .put("count", application.group().get("count").orElse("") + "a");
                if (runs.incrementAndGet() == 1) {
                    seen.put("count", "b");
                }
            });
            assertThat(seen.get("count")).contains("ba");
            assertThat(application.orders()).isOne();
        });
        assertThat(runs).hasValue(2);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods(proxyTargetClass = true)
    @Import(Retried.class)
    static class Retrying {}

    static class Retried {

        @Retryable(includes = ConcurrencyFailureException.class, maxRetries = 20, delay = 20, jitter = 15)
        @Transactional
        void run(Runnable work) {
            work.run();
        }
    }

    @Test
    void theTimeoutOfTheTransactionCountsForTheStore() {
        TransactionalApplication.run((application, seen) -> {
            assertThatExceptionOfType(TransactionTimedOutException.class)
                    .isThrownBy(() -> application.service().shortly(() -> {
                        application.jdbc().setQueryTimeout(5);
                        pass(application);
                        application.group().put("key", "value");
                    }));
            assertThat(seen.get("key")).isEmpty();
        });
    }

    /** What JDBC has written must not be committed without what the store was asked to write. */
    @Test
    void theTimeoutThatPassesAfterTheLastCallRollsAllBack() {
        TransactionalApplication.run((application, seen) -> {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> application.service().shortly(() -> {
                        application.order(1);
                        application.group().put("key", "value");
                        pass(application);
                    }))
                    .withMessageContaining("rolled back")
                    .withCauseInstanceOf(TransactionTimedOutException.class);
            assertThat(application.orders()).isZero();
            assertThat(seen.get("key")).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theTimeoutThatPassesWhileAnotherSynchronizationWritesRollsAllBack(boolean last) {
        TransactionalApplication.run((application, seen) -> {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> application.service().shortly(() -> {
                        application.order(1);
                        application.group().put("key", "value");
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean readOnly) {
                                if (!last) {
                                    write();
                                }
                            }

                            @Override
                            public void beforeCompletion() {
                                if (last) {
                                    write();
                                }
                            }

                            private void write() {
                                pass(application);
                                application.group().put("late", "value");
                            }
                        });
                    }))
                    .withCauseInstanceOf(TransactionTimedOutException.class);
            assertThat(application.orders()).isZero();
            assertThat(seen.keys()).isEmpty();
        });
    }

    /** Has the timeout of this thread's transaction pass. */
    private static void pass(TransactionalApplication application) {
        DataSource source = application.context().getBean(DataSource.class);
        assertThat(TransactionSynchronizationManager.getResource(source))
                .isInstanceOfSatisfying(ConnectionHolder.class, holder -> holder.setTimeoutInMillis(0));
    }

    /** Has another transaction, which has written to the store, do something before its commit. */
    private static void before(TransactionalApplication application, Runnable commit) {
        application.service().run(() -> {
            application.group().put("other", "value");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    commit.run(); // after the store, which was registered before
                }
            });
        });
    }

    @Test
    void theTimeoutOfTheTransactionEndsItsWaitForAnother() {
        TransactionalApplication.run((application, seen) -> {
            before(application, () -> {
                CompletableFuture<Void> late = CompletableFuture.runAsync(() ->
                        application.service().shortly(() -> application.group().put("key", "value")));
                assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("timeout of the transaction");
            });
            assertThat(seen.keys()).containsExactly("other");
        });
    }

    /** One has written to the store and waits for a row. The other has the row, and its writes wait for the store. */
    @ParameterizedTest
    @EnumSource
    void aDeadlockRollsOneTransactionBack(Victim victim) {
        TransactionalApplication.run((application, seen) -> {
            TestDatabase.execute("GRANT SET ON PARAMETER deadlock_timeout TO " + TestDatabase.USER);
            application.order(1);
            CountDownLatch locked = new CountDownLatch(1);
            List<Future<?>> waiting = new ArrayList<>();
            Throwable row = catchThrowable(() -> before(application, () -> {
                waiting.add(
                        CompletableFuture.runAsync(() -> application.service().run(() -> {
                            victim.spareIf(Victim.ROW, application.jdbc());
                            application.deleteOrder(1);
                            locked.countDown();
                            application.group().put("key", "value");
                        })));
                await(locked);
                victim.spareIf(Victim.STORE, application.jdbc());
                application.deleteOrder(1);
            }));
            Throwable store = catchThrowable(() -> waiting.get(0).get(20, TimeUnit.SECONDS));
            if (victim == Victim.STORE) {
                assertThat(store)
                        .cause()
                        .isInstanceOf(ConcurrencyFailureException.class)
                        .hasMessageContaining("Run the whole transaction again");
                assertThat(row).isNull();
                assertThat(seen.keys()).containsExactly("other");
            } else {
                assertThat(row).isInstanceOf(PessimisticLockingFailureException.class);
                assertThat(store).isNull();
                assertThat(seen.keys()).containsExactly("key");
            }
            assertThat(application.orders()).isZero();
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Which of two statements that wait for each other the server ends: the one that first looks for a deadlock. */
    enum Victim {
        STORE,
        ROW;

        private void spareIf(Victim victim, JdbcTemplate jdbc) {
            if (this == victim) {
                jdbc.execute("SET LOCAL deadlock_timeout TO '1min'");
            }
        }
    }
}
