package dev.ttlstore.sample.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Exchanger;

import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Two connections that each keep and reveal secrets of their own, and from time to time race for one. */
final class Pair {

    private static final String SECRETS = "/api/teams/" + SecretsLoad.TEAM + "/secrets";
    private static final int OWN_BETWEEN_RACES = 9;
    private static final String NO_MORE = "";

    private final int port;
    private final long end;
    private final boolean sealed;
    private final Exchanger<String> exchanger = new Exchanger<>();

    Pair(int port, long end, boolean sealed) {
        this.port = port;
        this.end = end;
        this.sealed = sealed;
    }

    /** What one of the two has done: how long each request took, and how many secrets it kept and got to see. */
    static final class Work {

        private final List<Long> nanos = new ArrayList<>();
        private final Sealing sealing = new Sealing();
        private long kept;
        private long revealed;
        private long races;

        List<Long> nanos() {
            return nanos;
        }

        long kept() {
            return kept;
        }

        long revealed() {
            return revealed;
        }

        long races() {
            return races;
        }
    }

    /** Works until it is time, and then until the other of the two knows. */
    Work work(boolean leads) throws IOException, InterruptedException {
        Work work = new Work();
        try (Connection connection = new Connection(port)) {
            while (true) {
                for (int i = 0; i < OWN_BETWEEN_RACES; i++) {
                    own(connection, work, i == 0);
                }
                boolean goesOn = leads && System.nanoTime() < end;
                String mine = goesOn
                        ? keep(
                                connection,
                                work,
                                sealed ? work.sealing.seal("raced").value() : "raced")
                        : NO_MORE;
                String others = exchanger.exchange(mine);
                String raced = leads ? mine : others;
                if (raced.equals(NO_MORE)) {
                    return work;
                }
                race(connection, work, raced);
            }
        }
    }

    private void own(Connection connection, Work work, boolean twice) throws IOException {
        String value = "value-" + System.identityHashCode(work) + "-" + work.kept;
        Sealing.@Nullable Sealed hidden = sealed ? work.sealing.seal(value) : null;
        String location = keep(connection, work, hidden == null ? value : hidden.value());
        Connection.Answer answer = reveal(connection, work, location);
        assertThat(answer.status()).isEqualTo(200);
        if (hidden == null) {
            assertThat(answer.body()).startsWith("{\"value\":\"" + value + "\",");
        } else {
            assertThat(answer.body()).startsWith("{\"value\":\"").contains("\"sealed\":true");
            String revealed = answer.body()
                    .substring("{\"value\":\"".length(), answer.body().indexOf("\","));
            assertThat(Sealing.open(revealed, hidden.key())).isEqualTo(value);
        }
        if (twice) {
            assertThat(reveal(connection, work, location).status()).isEqualTo(404);
        }
    }

    private void race(Connection connection, Work work, String location) throws IOException, InterruptedException {
        Connection.Answer answer = reveal(connection, work, location);
        String mine = Integer.toString(answer.status());
        assertThat(List.of(mine, exchanger.exchange(mine))).containsExactlyInAnyOrder("200", "404");
        work.races++;
    }

    private String keep(Connection connection, Work work, String value) throws IOException {
        Connection.Answer answer = timed(
                connection, work, SECRETS, "{\"value\":\"" + value + "\",\"ttl\":\"PT10M\",\"sealed\":" + sealed + "}");
        assertThat(answer.status()).isEqualTo(201);
        work.kept++;
        return answer.location();
    }

    private static Connection.Answer reveal(Connection connection, Work work, String location) throws IOException {
        Connection.Answer answer = timed(connection, work, location + "/reveal", "");
        if (answer.status() == 200) {
            work.revealed++;
        }
        return answer;
    }

    private static Connection.Answer timed(Connection connection, Work work, String path, String body)
            throws IOException {
        long begin = System.nanoTime();
        Connection.Answer answer = connection.post(path, body);
        work.nanos.add(System.nanoTime() - begin);
        return answer;
    }
}
