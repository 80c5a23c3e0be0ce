package dev.ttlstore.postgresql;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.engine.Row;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.postgresql.CommitOutcomes.CommitStatus;
import dev.ttlstore.postgresql.LogRow.OwnCommit;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the log says of a commit whose answer was lost. */
@Tag("postgresql")
@Promise({8, 11})
class CommitOutcomesTests {

    private static final long SEQ = 1_000;

    private final Nodes nodes = new Nodes();
    private final Connections connections =
            new Connections(TestServer.dataSource(), nodes.sql(InstantSource.system()), Nodes.LIMITS);
    private final CommitOutcomes outcomes = new CommitOutcomes(connections, Nodes.LIMITS);
    private final UUID batch = UUID.randomUUID();

    @BeforeEach
    void create() {
        nodes.open().close();
    }

    @AfterEach
    void close() throws IOException {
        nodes.close();
    }

    private LogRow commit(long seq, UUID id) {
        return new LogRow(0, seq, id, Row.NEVER, false, null);
    }

    private void log(long seq, UUID id) {
        Script script = connections.script();
        LogRow.add(script, List.of(commit(seq, id)), row -> 0L);
        connections.run(script);
    }

    private CommitStatus outcome() {
        return outcomes.of(new OwnCommit(batch, List.of(commit(SEQ, batch)), List.of()).place());
    }

    @Test
    void aCommitInTheLogWasMade() {
        log(SEQ, batch);
        log(SEQ + 10, UUID.randomUUID());
        assertThat(outcome()).isEqualTo(CommitStatus.COMMITTED);
    }

    /** A pool hands out nothing to a thread that is interrupted. */
    @Test
    void anInterruptedThreadFindsOutToo() {
        log(SEQ, batch);
        DataSource pool = TappedDataSource.refusingIfInterrupted(TestServer.dataSource());
        CommitOutcomes interrupted = new CommitOutcomes(
                new Connections(pool, nodes.sql(InstantSource.system()), Nodes.LIMITS), Nodes.LIMITS);
        Thread.currentThread().interrupt();
        CommitStatus found = interrupted.of(new OwnCommit(batch, List.of(commit(SEQ, batch)), List.of()).place());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(found).isEqualTo(CommitStatus.COMMITTED);
    }

    @Test
    void aCommitThatIsNotThereWillNeverBeMade() {
        assertThat(outcome()).isEqualTo(CommitStatus.NOT_COMMITTED);
        Script script = connections.script();
        LogRow.add(script, List.of(commit(SEQ, batch)), row -> 0L);
        assertThatThrownBy(() -> connections.run(script)).isInstanceOf(StoreException.class);
    }

    @Test
    void nobodyKnowsOfACommitWhoseTimeIsNoLongerInTheLog() {
        log(SEQ + 10, UUID.randomUUID());
        connections.run(connections.script().add("DELETE FROM @log WHERE seq <= ?", SEQ));
        assertThat(outcome()).isEqualTo(CommitStatus.UNKNOWN);
    }
}
