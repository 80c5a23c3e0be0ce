package dev.ttlstore.postgresql;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.Counters;
import dev.ttlstore.Expiry;
import dev.ttlstore.Group;
import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Forms in which the driver sends values, as poolers need them, and settings of roles that change how texts are read. */
@Tag("postgresql")
class DriverSettingsTests {

    /** From the fifth time on, the driver by default lets the server keep a statement. */
    private static final int ROUNDS = 6;

    private static final byte[] BINARY = {0, 1, '\\', '\'', -1};

    private final Nodes nodes = new Nodes();

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "prepareThreshold=0",
                "preferQueryMode=simple",
                "preferQueryMode=extendedForPrepared",
                "preferQueryMode=extendedCacheEverything",
                "binaryTransfer=false",
                "stringtype=unspecified",
                "options=-c standard_conforming_strings=off",
                "options=-c array_nulls=off",
                "options=-c bytea_output=escape",
                "options=-c plpgsql.extra_errors=all",
                "options=-c DateStyle=German -c IntervalStyle=iso_8601"
            })
    @Promise({2, 10, 12, 19})
    void theServerDecidesAllWrites(String setting) throws SQLException {
        PGSimpleDataSource source = TestServer.dataSource();
        boolean distributed = TestServer.isDistributed();
        assumeFalse(distributed && setting.contains("standard_conforming_strings"), "the store refuses it there");
        String[] parts = setting.split("=", 2);
        source.setProperty(parts[0], parts[1]);
        Store store = nodes.open(nodes.pool(4, source));
        TextGroup group = store.scope("tenant", new Quota(100, 0, 0)).group("it's \\ \"ü\"");
        Group<byte[]> bytes = store.group("NULL", byte[].class);
        Counters counters = store.counters("numbers");
        for (int i = 1; i <= ROUNDS; i++) {
            group.put("NULL", "", Duration.ofHours(1));
            assertThat(group.putIfAbsent("\\x00", "first")).isPresent();
            assertThat(group.replace("\\x00", "first", "it's {\\}")).isPresent();
            assertThat(group.take("\\x00")).contains("it's {\\}");
            group.putAll(Map.of("NULL", "NULL", "a", "", "b", "\\"), Expiry.never());
            assertThat(group.getAll()).isEqualTo(Map.of("NULL", "NULL", "a", "", "b", "\\"));
            bytes.put("key", BINARY);
            assertThat(bytes.getAndPut("key", "a".getBytes(StandardCharsets.UTF_8)))
                    .contains(BINARY);
            assertThat(counters.increment("key")).isEqualTo(i);
        }
        assertThat(Objects.requireNonNull(store.stats().shared()).lockedCommits())
                .isEqualTo(distributed ? Map.of("quota", 1L, "tables", (long) ROUNDS) : Map.of("quota", 1L));
    }
}
