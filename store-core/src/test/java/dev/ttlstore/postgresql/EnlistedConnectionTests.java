package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.xa.PGXADataSource;

import dev.ttlstore.TextGroup;
import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A data source whose connections become part of the calling thread's transaction, as a pool for JTA has them. */
@Tag("postgresql")
class EnlistedConnectionTests {

    private final Nodes nodes = new Nodes(TestServer.freshSchema());

    @SuppressWarnings("ThreadLocalUsage") // for one test
    private final ThreadLocal<@Nullable Connection> transaction = new ThreadLocal<>();

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    @SuppressWarnings("serial") // nobody serializes it
    private final class EnlistingDataSource extends PGSimpleDataSource {
        @Override
        public Connection getConnection() throws SQLException {
            Connection present = transaction.get();
            return present == null ? super.getConnection() : present;
        }
    }

    private record Branch(int getFormatId) implements Xid {
        @Override
        public byte[] getGlobalTransactionId() {
            return new byte[] {1};
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {2};
        }
    }

    @Test
    @Promise(8)
    void aWriteThatCannotBeCommittedThereSaysWhy() throws Exception {
        PGSimpleDataSource plain = TestServer.dataSource();
        EnlistingDataSource source = new EnlistingDataSource();
        source.setUrl(plain.getUrl());
        source.setUser(plain.getUser());
        source.setPassword(plain.getPassword());
        TextGroup group = nodes.open(source).group("group");
        group.put("key", "before");
        PGXADataSource pool = new PGXADataSource();
        pool.setUrl(plain.getUrl());
        pool.setUser(plain.getUser());
        pool.setPassword(plain.getPassword());
        XAConnection connection = pool.getXAConnection();
        Connection enlisted = connection.getConnection();
        Xid branch = new Branch(7);
        connection.getXAResource().start(branch, XAResource.TMNOFLAGS);
        transaction.set(enlisted);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> group.put("key", "within"))
                .withMessageContaining("part of the transaction of the calling thread");
        transaction.remove();
        connection.getXAResource().end(branch, XAResource.TMSUCCESS);
        connection.getXAResource().rollback(branch);
        connection.close();
        assertThat(group.get("key")).contains("before");
        group.put("key", "after");
        assertThat(group.get("key")).contains("after");
    }
}
