package dev.ttlstore.spring.idempotency;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.ttlstore.spring.idempotency.PaymentsServer.send;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests of several owners, who are known by a header, and the size of what is kept for them. */
class IdempotencyOwnersTests {

    @TempDir
    private Path folder;

    private final List<PaymentsServer> servers = new ArrayList<>();

    @AfterEach
    void close() {
        servers.forEach(PaymentsServer::close);
    }

    private PaymentsServer start(String... more) {
        RequestOwner owner = request -> request.getHeader("X-Api-Key");
        PaymentsServer server = PaymentsServer.inFile(folder, "owner", owner, more);
        servers.add(server);
        return server;
    }

    private static HttpResponse<String> post(PaymentsServer server, String key, String owner) {
        return send(server.request("/payments", key).header("X-Api-Key", owner));
    }

    /** Otherwise whoever guesses a key gets the answer to somebody else's request. */
    @Test
    void keysOfDifferentOwnersAreIndependent() {
        PaymentsServer server = start();
        String first = post(server, "key", "ann").body();
        assertThat(post(server, "key", "bob").body()).isNotEqualTo(first);
        assertThat(post(server, "key", "ann").body()).isEqualTo(first);
        assertThat(server.made()).isEqualTo(2);
    }

    /** So that nobody can fill the disk, and those without a login take no room of the others. */
    @Test
    void theSizeOfAllAnswersIsLimited() {
        PaymentsServer server =
                start("--store.idempotency.max-anonymous-size=2KB", "--store.idempotency.paths=/payments/**");
        int kept = 0;
        HttpResponse<String> answer = server.post("/payments", "key" + kept);
        while (answer.statusCode() == 201 && kept < 100) {
            kept++;
            answer = server.post("/payments", "key" + kept);
        }
        assertThat(kept).isBetween(2, 20);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.body()).contains("no room");
        assertThat(server.made()).isEqualTo(kept);
        assertThat(post(server, "key", "ann").statusCode()).isEqualTo(201);
    }

    /** So that nobody who is logged in takes the room of all others. */
    @Test
    void theSizeOfTheAnswersToOneOwnerIsLimited() {
        PaymentsServer server = start("--store.idempotency.max-owner-size=1KB");
        int kept = 0;
        HttpResponse<String> first = post(server, "key0", "ann");
        HttpResponse<String> answer = first;
        while (answer.statusCode() == 201 && kept < 100) {
            kept++;
            answer = post(server, "key" + kept, "ann");
        }
        assertThat(kept).isBetween(2, 20);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(post(server, "key0", "ann").body()).isEqualTo(first.body());
        assertThat(server.made()).isEqualTo(kept);
        assertThat(post(server, "key0", "bob").statusCode()).isEqualTo(201);
    }
}
