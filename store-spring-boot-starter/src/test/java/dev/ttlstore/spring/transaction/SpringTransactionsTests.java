package dev.ttlstore.spring.transaction;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

import javax.sql.DataSource;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.ttlstore.exception.StoreException;
import dev.ttlstore.spring.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What the store does in Spring's transactions on its {@code DataSource}. */
@Tag("postgresql")
@ExtendWith(TransactionalApplication.Shared.class)
class SpringTransactionsTests {

    @Test
    void writesAreCommittedWithTheTransactionAndThenPublished() {
        TransactionalApplication.run((application, seen) -> {
            application.service().run(() -> {
                application.order(1);
                application.group().put("key", "value", Duration.ofMinutes(1));
                assertThat(application.group().get("key")).contains("value");
                assertThat(seen.get("key")).isEmpty();
                assertThat(application.events()).isEmpty();
            });
            assertThat(seen.get("key")).contains("value");
            assertThat(application.orders()).isEqualTo(1);
            assertThat(application.nextEvent().type()).isEqualTo("put");
        });
    }

    @Test
    void writesAreRolledBackWithTheTransactionAndNeverPublished() {
        TransactionalApplication.run((application, seen) -> {
            assertThatExceptionOfType(TransactionalApplication.Refusal.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        application.order(1);
                        application.group().put("key", "value");
                        throw new TransactionalApplication.Refusal();
                    }));
            assertThat(application.group().get("key")).isEmpty();
            assertThat(application.orders()).isZero();
            application.group().put("later", "value");
            assertThat(application.nextEvent().toString()).doesNotContain("version=-");
            assertThat(application.events()).isEmpty();
        });
    }

    @Test
    void aTransactionThatIsMarkedForRollbackWritesNothing() {
        TransactionalApplication.run((application, seen) -> {
            application.transactions().executeWithoutResult(status -> {
                application.group().put("key", "value");
                status.setRollbackOnly();
            });
            assertThat(seen.get("key")).isEmpty();
        });
    }

    @Test
    void aSeparateTransactionIsSeparate() {
        TransactionalApplication.run((application, seen) -> {
            assertThatExceptionOfType(TransactionalApplication.Refusal.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        application.group().put("outer", "value");
                        application.service().separately(() -> {
                            assertThat(application.group().get("outer")).isEmpty();
                            application.group().put("inner", "value");
                        });
                        assertThat(application.group().keys()).containsExactly("inner", "outer");
                        throw new TransactionalApplication.Refusal();
                    }));
            assertThat(seen.keys()).containsExactly("inner");
        });
    }

    @Test
    void outsideTransactionsWritesAreCommittedAtOnce() {
        TransactionalApplication.run((application, seen) -> {
            application.service().run(() -> {
                application.group().put("inside", "value");
                application.service().without(() -> {
                    application.group().put("outside", "value");
                    assertThat(seen.get("outside")).contains("value");
                });
                assertThat(seen.get("inside")).isEmpty();
            });
            application.service().supporting(() -> {
                application.group().put("supporting", "value");
                assertThat(seen.get("supporting")).contains("value");
            });
            assertThat(seen.keys()).containsExactly("inside", "outside", "supporting");
        });
    }

    @Test
    void aNestedTransactionUndoesWhatTheStoreHasWrittenInIt() {
        TransactionalApplication.run((application, seen) -> {
            application.service().run(() -> {
                application.group().put("kept", "value");
                assertThatExceptionOfType(TransactionalApplication.Refusal.class)
                        .isThrownBy(() -> application.service().nested(() -> {
                            application.order(1);
                            application.group().put("undone", "value");
                            throw new TransactionalApplication.Refusal();
                        }));
                assertThat(application.group().get("undone")).isEmpty();
                application.service().nested(() -> application.group().put("nested", "value"));
            });
            assertThat(seen.keys()).containsExactly("kept", "nested");
            assertThat(application.orders()).isZero();
        });
    }

    @Test
    void aNestedTransactionInWhichTheStoreIsFirstUsedUndoesIt() {
        TransactionalApplication.run((application, seen) -> {
            application.service().run(() -> {
                assertThatExceptionOfType(TransactionalApplication.Refusal.class)
                        .isThrownBy(() -> application.service().nested(() -> {
                            application.group().put("undone", "value");
                            throw new TransactionalApplication.Refusal();
                        }));
                application.group().put("kept", "value");
            });
            assertThat(seen.keys()).containsExactly("kept");
        });
    }

    @Test
    void aTransactionThatOnlyReadsReadsAndRefusesWrites() {
        TransactionalApplication.run((application, seen) -> {
            application.group().put("key", "value");
            application.service().read(() -> {
                assertThat(application.group().get("key")).contains("value");
                assertThat(application.group().count()).isEqualTo(1);
                assertThatIllegalStateException()
                        .isThrownBy(() -> application.group().put("key", "changed"))
                        .withMessageContaining("to read only");
            });
            assertThat(seen.get("key")).contains("value");
        });
    }

    @Test
    void higherIsolationIsRefusedWithTheRemedy() {
        TransactionalApplication.run((application, seen) -> {
            for (BiConsumer<TransactionalApplication.Service, Runnable> isolated :
                    List.<BiConsumer<TransactionalApplication.Service, Runnable>>of(
                            TransactionalApplication.Service::repeatable,
                            TransactionalApplication.Service::serializable)) {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> isolated.accept(
                                application.service(), () -> application.group().put("key", "value")))
                        .withMessageContaining("READ COMMITTED");
            }
            assertThat(seen.get("key")).isEmpty();
        });
    }

    @Test
    void withTheSettingOffEachWriteIsCommittedByItself() {
        TransactionalApplication.run(
                (application, seen) -> {
                    assertThatExceptionOfType(TransactionalApplication.Refusal.class)
                            .isThrownBy(() -> application.service().run(() -> {
                                application.group().put("key", "value");
                                throw new TransactionalApplication.Refusal();
                            }));
                    assertThat(seen.get("key")).contains("value");
                },
                "store.postgresql.join-transactions=false");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTransactionOnAnotherDatabaseIsNotJoined(boolean autoCommit) {
        TransactionalApplication.run(
                (application, seen) -> {
                    TransactionTemplate elsewhere =
                            new TransactionTemplate(new JdbcTransactionManager(TestDatabase.dataSource()));
                    elsewhere.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRED);
                    elsewhere.executeWithoutResult((TransactionStatus status) -> {
                        application.orders(); // binds a connection of the store's data source
                        application.group().put("key", "value");
                        assertThat(seen.get("key")).contains("value");
                        status.setRollbackOnly();
                    });
                    assertThat(seen.get("key")).contains("value");
                },
                "spring.datasource.hikari.auto-commit=" + autoCommit);
    }

    /** JDBC goes on with the connection of the outer transaction, and so does the store. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsWrittenInATransactionOnAnotherDatabaseIsPartOfTheOneAroundIt(boolean isUsedBefore) {
        TransactionTemplate elsewhere = new TransactionTemplate(new JdbcTransactionManager(TestDatabase.dataSource()));
        TransactionalApplication.run((application, seen) -> {
            application.group().put("key", "old");
            Runnable writes = () -> {
                if (isUsedBefore) {
                    application.group().put("before", "value");
                }
                elsewhere.executeWithoutResult(status -> {
                    application.order(1);
                    application.group().put("key", "new");
                });
                assertThat(application.group().get("key")).contains("new");
                seen.put("other", "value"); // no lock is held yet
            };
            assertThatExceptionOfType(TransactionalApplication.Refusal.class)
                    .isThrownBy(() -> application.service().run(() -> {
                        writes.run();
                        throw new TransactionalApplication.Refusal();
                    }));
            assertThat(application.group().get("key")).contains("old");
            application.service().run(writes);
            assertThat(application.group().get("key")).contains("new");
            assertThat(seen.get("key")).contains("new");
            assertThat(application.orders()).isEqualTo(1);
        });
    }

    /** Spring does not call what is registered during the commit, and the store cannot know that the commit has begun. */
    @Test
    void inATransactionWhoseManagerIsNotObservedTheStoreWritesAtOnce() {
        TransactionalApplication.run((application, seen) -> {
            TransactionTemplate template = new TransactionTemplate(
                    new JdbcTransactionManager(application.context().getBean(DataSource.class)));
            template.executeWithoutResult(status ->
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void beforeCommit(boolean readOnly) {
                            application.group().put("first", "value");
                            application.group().put("second", "value");
                            assertThat(seen.keys()).isEmpty();
                        }

                        @Override
                        public void afterCommit() {
                            assertThat(seen.keys()).containsExactly("first", "second");
                        }
                    }));
            template.executeWithoutResult(status -> {
                application.group().put("third", "value");
                application.group().delete("first");
                status.setRollbackOnly();
            });
            assertThat(seen.keys()).containsExactly("first", "second");
        });
    }
}
