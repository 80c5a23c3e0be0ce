package dev.ttlstore.postgresql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Statements that are joined to one text. */
@Tag("postgresql")
class ScriptTests {

    private static final int PARAMETERS = 1_000;

    /** Answers with its first parameter, and has many more. */
    private static final String QUERY = "SELECT ?::int WHERE 1 = ALL (ARRAY["
            + String.join(", ", Collections.nCopies(PARAMETERS - 1, "?")) + "]::int[])";

    private final List<Integer> answers = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();

    private Script script(int from, int to) {
        Script script = new Script(new Sql("schema", InstantSource.system()));
        for (int i = from; i < to; i++) {
            List<Object> parameters = new ArrayList<>(Collections.nCopies(PARAMETERS, 1));
            parameters.set(0, i);
            Script unused = script.query(QUERY, row -> answers.add(row.getInt(1)), parameters.toArray());
        }
        return script;
    }

    private void run(Script script) throws SQLException {
        try (Connection connection =
                ServerCommitTests.recording(TestServer.dataSource(), texts).getConnection()) {
            script.run(connection, null);
        }
    }

    @Test
    void takesOneRoundTripIfItsParametersFitAMessage() throws SQLException {
        run(script(0, 65));
        assertThat(texts).hasSize(1);
        assertThat(answers).hasSize(65);
    }

    @Test
    void takesAsManyAsItsParametersNeed() throws SQLException {
        List<Integer> atTheEnd = new ArrayList<>();
        Script script = script(0, 100).then(() -> atTheEnd.addAll(answers)).append(script(100, 150));
        run(script);
        assertThat(texts).hasSize(3);
        assertThat(answers).isEqualTo(IntStream.range(0, 150).boxed().toList());
        assertThat(atTheEnd).isEqualTo(answers);
    }
}
