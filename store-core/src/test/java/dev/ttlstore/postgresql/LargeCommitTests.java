package dev.ttlstore.postgresql;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.WriteBatch;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** A node may take longer for a commit of many rows than the server gives one that has stopped. */
@Tag("postgresql")
@Promise(8)
class LargeCommitTests {

    /** Enough for more time than {@link #WORK} needs. */
    private static final int ROWS = 3_000;

    /** Longer than a node may say nothing. */
    private static final Duration WORK = Nodes.LIMITS.pause().multipliedBy(3).dividedBy(2);

    private final Nodes nodes = new Nodes(TestServer.freshSchema());
    private final AtomicBoolean slow = new AtomicBoolean();

    @AfterEach
    void close() throws IOException {
        nodes.close();
    }

    /** Takes its time once. */
    private void work() {
        if (slow.compareAndSet(true, false)) {
            try {
                TimeUnit.MILLISECONDS.sleep(WORK.toMillis());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static Map<String, String> values(int rows, String value) {
        return IntStream.range(0, rows).boxed().collect(Collectors.toMap(i -> "key" + i, i -> value));
    }

    @ParameterizedTest
    @CsvSource({ROWS + ", 5", "20, 100000"})
    void aNodeThatTakesLongToBuildALargeCommitMakesIt(int rows, int bytes) {
        assumeFalse(TestServer.isDistributed(), "rows are no arrays there, at which it could wait");
        Store store = nodes.open(nodes.pool(3, TappedDataSource.beforeArrays(TestServer.dataSource(), this::work)));
        TextGroup group = store.group("group");
        group.put("key", "value");
        slow.set(true);
        group.putAll(values(rows, "v".repeat(bytes)));
        assertThat(slow).isFalse();
        assertThat(group.count()).isEqualTo(rows + 1);
    }

    @Test
    void aNodeThatTakesLongToDecideALargeCommitMakesIt() {
        // Sealed values are opened before they are compared.
        Store store = nodes.open(
                PostgreSql.on(TestServer.pool()).timeouts(Nodes.LIMITS),
                builder -> builder.encrypt(group -> true, new ValueCipher() {
                    @Override
                    public byte[] seal(String group, String key, byte[] value) {
                        return value;
                    }

                    @Override
                    public byte[] open(String group, String key, byte[] sealed) {
                        work();
                        return sealed;
                    }
                }));
        TextGroup group = store.group("group");
        Map<String, String> values = values(ROWS, "value");
        group.putAll(values);
        WriteBatch batch = store.batch();
        for (String key : values.keySet()) {
            batch = batch.delete(group, key, "value");
        }
        slow.set(true);
        assertThat(batch.write()).isTrue();
        assertThat(slow).isFalse();
        assertThat(group.count()).isZero();
    }
}
