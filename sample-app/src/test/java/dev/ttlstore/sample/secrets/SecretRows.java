package dev.ttlstore.sample.secrets;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.zip.CRC32C;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rows of the secrets of the team acme, as a connection of another program sees them.
 *
 * @param file the store
 */
record SecretRows(Path file) {

    private static final String GROUP = "acme:secrets";
    private static final String ALL = " FROM entry WHERE grp = '" + GROUP + "'";

    private interface Work<T> {
        T run(Statement statement) throws SQLException;
    }

    private interface Column<T> {
        T of(ResultSet row) throws SQLException;
    }

    private <T> T with(Work<T> work) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            return work.run(statement);
        }
    }

    private <T> T read(String columns, Column<T> column) throws SQLException {
        return with(statement -> {
            try (ResultSet result = statement.executeQuery("SELECT " + columns + ALL)) {
                result.next();
                return column.of(result);
            }
        });
    }

    int count() throws SQLException {
        return read("count(*)", row -> row.getInt(1));
    }

    /** Returns the bytes of the one secret. */
    byte[] value() throws SQLException {
        return read("value", row -> row.getBytes(1));
    }

    /** Gives the one secret another key, and the checksum for it: who changes a file on purpose can change that as well. */
    void rename(String key) throws SQLException {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(16)
                .putInt(GROUP.hashCode())
                .putInt(key.hashCode())
                .putLong(read("version", row -> row.getLong(1)))
                .flip());
        checksum.update(value());
        int changed = with(statement -> statement.executeUpdate("UPDATE entry SET key = '" + key + "', checksum = "
                + (int) checksum.getValue() + " WHERE grp = '" + GROUP + "'"));
        assertThat(changed).isOne();
    }
}
