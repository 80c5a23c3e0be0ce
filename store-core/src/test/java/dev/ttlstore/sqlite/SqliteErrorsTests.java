package dev.ttlstore.sqlite;

import java.sql.SQLException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;

import static dev.ttlstore.contract.Assertions.assertThat;

@Promise(23)
class SqliteErrorsTests {

    private final SqliteErrors errors = new SqliteErrors("/data/store.db");

    @ParameterizedTest
    @CsvSource({
        "SQLITE_FULL, StoreFullException, free space",
        "SQLITE_CORRUPT, StoreCorruptedException, restore a backup",
        "SQLITE_CORRUPT_INDEX, StoreCorruptedException, restore a backup",
        "SQLITE_NOTADB, StoreCorruptedException, restore a backup",
        "SQLITE_READONLY, StorePathException, permissions",
        "SQLITE_CANTOPEN, StorePathException, permissions",
        "SQLITE_BUSY, StoreException, another program",
        "SQLITE_BUSY_SNAPSHOT, StoreException, another program",
        "SQLITE_IOERR_SHORT_READ, StoreCorruptedException, restore a backup",
        "SQLITE_IOERR_WRITE, StoreException, disk",
        "SQLITE_MISUSE, StoreException, SQLite has failed"
    })
    void whatSqliteSaysBecomesWhatAUserCanActOn(SQLiteErrorCode code, String type, String remedy) {
        SQLiteException cause = new SQLiteException("said by SQLite", code);
        StoreException translated = errors.translate(cause);
        assertThat(translated.getClass().getSimpleName()).isEqualTo(type);
        assertThat(translated).hasMessageContaining("/data/store.db").hasMessageContaining(remedy);
        assertThat(translated).hasCause(cause);
    }

    @Test
    void anErrorThatIsNotSqlitesIsToldToo() {
        assertThat(errors.translate(new SQLException("said by the driver")))
                .hasMessageContaining("/data/store.db")
                .hasMessageContaining("said by the driver");
    }
}
