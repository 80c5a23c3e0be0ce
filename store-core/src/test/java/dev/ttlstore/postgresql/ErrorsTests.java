package dev.ttlstore.postgresql;

import java.sql.SQLException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreUnavailableException;

import static dev.ttlstore.contract.Assertions.assertThat;

/** What is said of failures that a server reports. */
class ErrorsTests {

    /** Behind pgbouncer 1.18 in transaction mode, without {@code prepareThreshold=0}. */
    @ParameterizedTest
    @CsvSource({
        "26000, prepared statement \"S_3\" does not exist",
        "42P05, prepared statement \"S_3\" already exists",
        "08P01, 'bind message supplies 0 parameters, but prepared statement \"S_2\" requires 3'"
    })
    void aStatementOfAnotherSessionTellsTheRemedyForAPooler(String state, String message) {
        assertThat(Errors.translate(new SQLException(message, state)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("prepareThreshold=0");
    }

    @ParameterizedTest
    @CsvSource({
        "22P05, 'character with byte sequence 0x73 in encoding \"UTF8\" has no equivalent in encoding \"LATIN1\"'",
        "22P02, 'invalid input syntax for type bigint: \"secret\"'",
        "22021, 'invalid byte sequence for encoding \"UTF8\": 0x73'"
    })
    void aMessageThatQuotesAValueIsLeftOut(String state, String message) {
        RuntimeException failure = Errors.translate(new SQLException(message, state));
        assertThat(failure).isInstanceOf(StoreException.class).hasMessageContaining(state);
        assertThat(failure.getCause())
                .isInstanceOf(SQLException.class)
                .hasMessageNotContainingAny("secret", "0x73")
                .hasMessageContaining("left out");
    }

    /** The coordinator of a distributed database may be stopped while it waits for the server that commits. */
    @ParameterizedTest
    @CsvSource({
        "57014, true",
        "25P04, true",
        "53200, true",
        "53100, false",
        "55P03, false",
        "40001, false",
        "23505, false"
    })
    @Promise(11)
    void aCancelledStatementMayHaveBeenCommittedElsewhere(String state, boolean interrupted) {
        assertThat(Errors.isInterrupted(new SQLException("ERROR", state))).isEqualTo(interrupted);
    }

    /** The driver reads on, and says it with the state of a server that had none. */
    @Test
    @Promise({8, 11})
    void anAnswerForWhichThereWasNoMemoryHereIsDoubtful() {
        assertThat(Errors.isDoubtful(new SQLException("ERROR", "53200", new OutOfMemoryError())))
                .isTrue();
        assertThat(Errors.isDoubtful(new SQLException("ERROR", "53200"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"XX001, damaged", "XX002, damaged", "XX000, own", "58030, own", "58P01, own"})
    @Promise(23)
    void aFaultOfTheServerIsNoLostConnection(String state, String told) {
        SQLException fault = new SQLException("ERROR", state);
        assertThat(Errors.isConnectionLost(fault)).isFalse();
        assertThat(Errors.isStale(fault)).isFalse();
        assertThat(Errors.isDoubtful(fault)).isTrue();
        assertThat(Errors.translate(fault))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(state)
                .hasMessageContaining(told);
    }

    @ParameterizedTest
    @CsvSource({"28P01, password", "28000, pg_hba.conf", "3D000, does not exist"})
    void aServerThatLetsNobodyInTellsWhatToCorrect(String state, String told) {
        assertThat(Errors.translate(new SQLException("FATAL", state)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(told);
    }

    /** A row that is too large for an index has the same state. */
    @ParameterizedTest
    @CsvSource({
        "ERROR: too many notifications in the NOTIFY queue, notification",
        "'ERROR: index row size 2712 exceeds btree version 4 maximum 2704 for index \"entry_pkey\"', index"
    })
    void aLimitOfTheServerIsToldForWhatItIs(String message, String told) {
        assertThat(Errors.translate(new SQLException(message, "54000")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(told);
    }
}
