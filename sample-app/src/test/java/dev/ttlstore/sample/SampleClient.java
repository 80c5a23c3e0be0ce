package dev.ttlstore.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks to the sample as any HTTP client would. Thread-safe. */
public final class SampleClient {

    /**
     * The server closes the connection after it has refused a body, and the answer may be lost with the rest of the body. So a large one
     * is sent only if the server wants it, as other clients do.
     */
    private static final int LARGE = 100_000;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String root;

    public SampleClient(int port) {
        this.root = "http://localhost:" + port;
    }

    /** An answer, with its body read as JSON. */
    public record Answer(int status, HttpResponse<String> response) {

        public JsonNode body() {
            return JSON.readTree(response.body());
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    public Answer keep(String team, String value, String ttl) {
        return post("/api/teams/" + team + "/secrets", JSON.writeValueAsString(Map.of("value", value, "ttl", ttl)));
    }

    /** Keeps a secret, and returns the path under which it waits. */
    public String kept(String team, String value, String ttl) {
        return keep(team, value, ttl).header("Location");
    }

    /** Keeps a secret as someone who logs in by HTTP basic. */
    public Answer keep(String team, String value, String ttl, String user, String password) {
        return send(authorized("/api/teams/" + team + "/secrets", user, password)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(Map.of("value", value, "ttl", ttl)))));
    }

    /** Keeps a secret from another address, as a proxy tells it. */
    public Answer keepFrom(String address, String team, String ttl) {
        return keepFrom(address, team, Map.of("value", "hunter2", "ttl", ttl));
    }

    /** Keeps a secret for a team that there may not be yet. */
    public Answer keepNew(String address, String team) {
        return keepFrom(address, team, Map.of("value", "hunter2", "ttl", "PT1H", "newTeam", true));
    }

    private Answer keepFrom(String address, String team, Map<String, Object> body) {
        return send(request("/api/teams/" + team + "/secrets")
                .header("Content-Type", "application/json")
                .header("X-Forwarded-For", address)
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    public Answer reveal(String location) {
        return post(location + "/reveal", "");
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    /** As one who logs in by HTTP basic. */
    public Answer get(String path, String user, String password) {
        return send(authorized(path, user, password).GET());
    }

    /** From another address, as a proxy tells it. */
    public Answer get(String path, String user, String password, String address) {
        return send(authorized(path, user, password)
                .header("X-Forwarded-For", address)
                .GET());
    }

    /** As a program that is the operator's. */
    public Answer post(String path, String user, String password, String header, String content) {
        return send(authorized(path, user, password).header(header, content).POST(BodyPublishers.noBody()));
    }

    private HttpRequest.Builder authorized(String path, String user, String password) {
        String credentials =
                Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        return request(path).header("Authorization", "Basic " + credentials);
    }

    public Answer head(String path) {
        return send(request(path).method("HEAD", BodyPublishers.noBody()));
    }

    public Answer post(String path, String body) {
        return post(path, body, "Content-Type", "application/json");
    }

    public Answer post(String path, String body, String header, String content) {
        return send(request(path)
                .header(header, content)
                .expectContinue(body.length() > LARGE)
                .POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + path));
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
