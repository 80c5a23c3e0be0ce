package dev.ttlstore.postgresql;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.ContractPart;
import dev.ttlstore.contract.Effort;
import dev.ttlstore.contract.LastingStoreContract;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The promises of the contract on PostgreSQL; each test has a schema of its own, and all share a pool. */
@Tag("postgresql")
@ContractPart(ContractPart.Tests.PROMISES)
class PostgreSqlStoreTests extends LastingStoreContract {

    final String schema = ReadySchemas.take();
    final MortalDataSource source = new MortalDataSource(TestServer.pool());

    @Override
    protected boolean isExclusive() {
        return false;
    }

    @Override
    protected int manyEntries() {
        return Effort.of(3_000, 20_000);
    }

    @Override
    protected boolean decidesUnderLock() {
        return true;
    }

    /** The servers of a distributed database have no common snapshot. */
    @Override
    protected boolean readsGroupsAtOneMoment() {
        return !TestServer.isDistributed();
    }

    @Override
    protected StoreBuilder builder() {
        return Store.builder().engine(PostgreSql.on(source).schema(schema));
    }

    @AfterEach
    void everyConnectionIsGivenBack() {
        ReadySchemas.giveBack(schema);
        Awaitility.await().pollDelay(Duration.ZERO).untilAsserted(() -> assertThat(source.connections())
                .isZero());
    }
}
