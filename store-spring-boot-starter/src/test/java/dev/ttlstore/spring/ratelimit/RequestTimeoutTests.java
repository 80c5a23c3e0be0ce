package dev.ttlstore.spring.ratelimit;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.postgresql.PostgreSql;
import dev.ttlstore.spring.TestDatabase;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeoutException;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.BucketProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Calls that end after the request timeout while the database holds them up. */
@Tag("postgresql")
class RequestTimeoutTests {

    private static final Duration TIMEOUT = Duration.ofMillis(100);

    private static final BucketConfiguration LIMIT = BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(10).refillGreedy(10, Duration.ofDays(1)))
            .build();

    private final String schema = TestDatabase.freshName();
    private final Store store = Store.builder()
            .engine(PostgreSql.on(TestDatabase.dataSource()).schema(schema))
            .open();
    private final BucketProxy bucket =
            StoreProxyManager.builderFor(store).build().builder().build("client", () -> LIMIT);
    private final StoreProxyManager<String> inTime =
            StoreProxyManager.builderFor(store).requestTimeout(TIMEOUT).build();

    @AfterEach
    void close() {
        store.close();
    }

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    /** Keeps all others from reading entries, or from writing them, meanwhile. */
    private void locked(String mode, Work work) throws Exception {
        assertThat(bucket.tryConsume(1)).isTrue();
        try (Connection connection = TestDatabase.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "LOCK TABLE \"" + schema + "\".entry IN " + mode + " MODE");
            work.run();
            connection.rollback();
        }
    }

    private static void execute(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    @Test
    void aReadThatEndsInTimeHasChangedNothing() throws Exception {
        locked("ACCESS EXCLUSIVE", () -> {
            assertThatThrownBy(
                            () -> inTime.builder().build("client", () -> LIMIT).tryConsume(1))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("within 100 ms")
                    .hasMessageContaining("Nothing was changed");
            AsyncBucketProxy later =
                    inTime.asAsync().builder().build("client", () -> CompletableFuture.completedFuture(LIMIT));
            assertThatThrownBy(() -> later.tryConsume(1).get(1, TimeUnit.MINUTES))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
        });
        assertThat(bucket.getAvailableTokens()).isEqualTo(9);
        Awaitility.await()
                .ignoreExceptionsInstanceOf(TimeoutException.class) // of a busy machine
                .until(() -> inTime.builder().build("client", () -> LIMIT).tryConsume(1));
    }

    @Test
    void aWriteThatEndsInTimeMayHaveTakenTokens() throws Exception {
        locked("EXCLUSIVE", () -> assertThatThrownBy(
                        () -> inTime.builder().build("client", () -> LIMIT).tryConsume(1))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("Nobody knows whether tokens were taken"));
        Awaitility.await()
                .untilAsserted(() -> assertThat(bucket.getAvailableTokens()).isEqualTo(8));
    }
}
