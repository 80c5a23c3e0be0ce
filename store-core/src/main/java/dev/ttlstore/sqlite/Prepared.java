package dev.ttlstore.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;
import org.sqlite.core.CoreResultSet;

/**
 * A statement that is prepared once and run often. Used by one thread at a time.
 *
 * <p>For each run of a query, the driver asks SQLite for the column names, one by one, and forgets them afterwards.
 * For the read of one row, that is a sixth of the time and a third of the garbage, and no code here uses names. So
 * this class keeps the names of the first run, and puts them where the driver looks before it asks.
 */
final class Prepared implements AutoCloseable {

    private final PreparedStatement statement;

    /** The driver has one result per statement, and returns it for each run; null before the first run. */
    private @Nullable CoreResultSet result;

    private String @Nullable [] columns;

    Prepared(PreparedStatement statement) {
        this.statement = statement;
    }

    PreparedStatement statement() {
        return statement;
    }

    /** Runs a query with the bound parameters. */
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
        statement.execute(); // the driver forgets the names here
        known.colsMeta = columns;
        return statement.getResultSet();
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
