package dev.ttlstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;
import org.sqlite.core.CoreResultSet;

/**
 * A statement that is prepared once and run often. Used by one thread at a time.
 *
 * <p>For each run of a query the driver asks SQLite what its columns are called, one by one, and forgets it again; for the
 * read of one row that is a sixth of the time and a third of the garbage, and nobody here goes by names. So they are
 * remembered from the first run, and put where the driver looks for them before it asks.
 */
final class Prepared implements AutoCloseable {

    private final PreparedStatement statement;

    /** The driver has one for each statement, and answers it again for each run; null before the first. */
    private @Nullable CoreResultSet result;

    private String @Nullable [] columns;

    Prepared(PreparedStatement statement) {
        this.statement = statement;
    }

    PreparedStatement statement() {
        return statement;
    }

    /** Runs a query with the parameters that were set. */
    ResultSet query() throws SQLException {
        CoreResultSet known = result;
        if (known == null) {
            ResultSet first = statement.executeQuery();
            if (first instanceof CoreResultSet driver) {
                result = driver;
                columns = driver.colsMeta;
            }
            return first;
        }
        statement.execute(); // forgets the names
        known.colsMeta = columns;
        return statement.getResultSet();
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
