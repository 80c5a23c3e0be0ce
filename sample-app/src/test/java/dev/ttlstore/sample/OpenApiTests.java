package dev.ttlstore.sample;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.yaml.snakeyaml.Yaml;

import dev.ttlstore.sample.SampleClient.Answer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** The description of the API is that of the controllers. */
@SampleTest
class OpenApiTests {

    private static final String USAGE = "GET /api/teams/{team}/usage";
    private static final String ACTIVITY = "GET /api/teams/{team}/activity";

    /** As many bodies as a client may send at the same time here. */
    private static final int UPLOADS = 20;

    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    @LocalServerPort
    private int port;

    @Autowired
    private RequestMappingHandlerMapping requestMappingHandlerMapping;

    private SampleClient client = new SampleClient(0);
    private JsonNode description = JsonMapper.shared().createObjectNode();

    @BeforeEach
    void load() {
        client = new SampleClient(port);
        Object yaml = new Yaml().load(client.get("/openapi.yaml").response().body());
        description = JsonMapper.shared().valueToTree(yaml);
    }

    /** Operations by method and path, such as {@code POST /api/teams/{team}/secrets}. */
    private Map<String, JsonNode> described() {
        Map<String, JsonNode> operations = new HashMap<>();
        description
                .get("paths")
                .forEachEntry((path, methods) -> methods.forEachEntry((method, operation) -> {
                    if (METHODS.contains(method)) {
                        operations.put(method.toUpperCase(Locale.ROOT) + " /api" + path, operation);
                    }
                }));
        return operations;
    }

    private Map<String, HandlerMethod> handled() {
        Map<String, HandlerMethod> operations = new HashMap<>();
        requestMappingHandlerMapping.getHandlerMethods().forEach((info, method) -> names(info)
                .filter(name -> name.contains(" /api/"))
                .forEach(name -> operations.put(name, method)));
        return operations;
    }

    private static Stream<String> names(RequestMappingInfo info) {
        return info.getMethodsCondition().getMethods().stream()
                .flatMap(method -> info.getPatternValues().stream().map(path -> method + " " + path));
    }

    @Test
    void everyOperationIsDescribedAndNoOther() {
        assertThat(handled().keySet()).hasSize(5).isEqualTo(described().keySet());
    }

    @Test
    void bodiesHaveTheDescribedFields() {
        Map<String, JsonNode> described = described();
        handled().forEach((name, method) -> {
            JsonNode operation = requireNonNull(described.get(name), name);
            assertThat(fields(success(operation).at("/content/application~1json/schema")))
                    .as(name)
                    .isEqualTo(components(answer(method)));
            Arrays.stream(method.getMethodParameters())
                    .filter(parameter -> parameter.hasParameterAnnotation(RequestBody.class))
                    .map(MethodParameter::getParameterType)
                    .forEach(body -> assertThat(fields(operation.at("/requestBody/content/application~1json/schema")))
                            .as(name)
                            .isEqualTo(components(body)));
        });
    }

    @Tag("slow")
    @Test
    void everyDescribedStatusOccursAndNoOther() throws IOException {
        Map<String, Set<String>> seen = new HashMap<>();
        String create = "POST /api/teams/{team}/secrets";
        String look = "GET /api/teams/{team}/secrets/{key}";
        String reveal = "POST /api/teams/{team}/secrets/{key}/reveal";
        String location = client.kept("acme", "hunter2", "PT10M");
        String nobodys = "/api/teams/acme/secrets/none";
        see(seen, create, client.keep("acme", "hunter2", "PT10M"));
        see(seen, create, client.keep("acme", "", "never"));
        see(seen, create, client.keep("acmee", "hunter2", "PT10M"));
        see(seen, create, client.keep(SampleTest.LOGIN_TEAM, "hunter2", "PT10M"));
        see(seen, create, client.keep("acme", "x".repeat(700_000), "PT10M"));
        see(seen, create, client.post("/api/teams/acme/secrets", "value=x", "Content-Type", "text/plain"));
        see(seen, create, client.keep("small", "x".repeat(2_000), "PT10M"));
        see(seen, look, client.get(location));
        see(seen, look, client.get("/api/teams/no_team/secrets/none"));
        see(seen, reveal, client.reveal(location));
        see(seen, reveal, client.reveal("/api/teams/no_team/secrets/none"));
        String locked = client.post(
                        "/api/teams/acme/secrets",
                        "{\"value\": \"hunter2\", \"ttl\": \"PT10M\", \"passphrase\": \"swordfish\"}")
                .header("Location");
        see(seen, reveal, client.reveal(locked));
        see(seen, reveal, client.post(locked + "/reveal", "x".repeat(700_000)));
        see(seen, reveal, client.post(locked + "/reveal", "x=y", "Content-Type", "text/plain"));
        for (String team : List.of("acme", "no_team")) {
            see(seen, USAGE, client.get("/api/teams/" + team + "/usage"));
            see(seen, ACTIVITY, client.get("/api/teams/" + team + "/activity"));
        }
        for (int i = 0; i < 3; i++) { // the last time beyond the limit of failed logins
            see(seen, USAGE, client.get("/api/teams/acme/usage", SampleTest.ADMIN, "wrong"));
            see(seen, ACTIVITY, client.get("/api/teams/acme/activity", SampleTest.ADMIN, "wrong"));
            see(seen, look, client.get(locked, SampleTest.ADMIN, "wrong"));
            see(seen, reveal, client.post(locked + "/reveal", SampleTest.ADMIN, "wrong", "Accept", "*/*"));
        }
        see(seen, create, slowly("/api/teams/acme/secrets"));
        see(seen, reveal, slowly(locked + "/reveal"));
        for (int i = 0; i < 40; i++) {
            see(seen, look, client.get(nobodys));
            see(seen, reveal, client.reveal(nobodys));
        }
        described().forEach((name, operation) -> assertThat(seen.get(name))
                .as(name)
                .containsExactlyInAnyOrderElementsOf(operation
                        .get("responses")
                        .propertyStream()
                        .map(Map.Entry::getKey)
                        .filter(status -> !status.equals("default"))
                        .toList()));
    }

    /** Begins one body more than a client may send at the same time, and sends none in time. Returns the answers. */
    private Set<String> slowly(String path) throws IOException {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        List<SlowClient> slow = new ArrayList<>();
        Set<String> statuses = new TreeSet<>();
        try {
            for (int i = 0; i <= UPLOADS; i++) {
                slow.add(SlowClient.begin(port, path, "application/json"));
            }
            ScheduledFuture<?> dripping = SlowClient.drip(timer, slow);
            for (SlowClient one : slow) {
                statuses.add(one.status());
            }
            assertThat(dripping.cancel(false)).isTrue(); // it has not failed
        } finally {
            timer.shutdownNow();
            for (SlowClient one : slow) {
                one.close();
            }
        }
        return statuses;
    }

    @Test
    void otherMethodsAreRefusedAsTheDescriptionSays() {
        assertThat(description.at("/info/description").asString()).contains("405");
        for (Answer refused : List.of(
                client.get("/api/teams/acme/secrets"),
                client.post("/api/teams/acme/secrets/none", "{}"),
                client.get("/api/teams/acme/secrets/none/reveal"),
                client.post("/api/teams/acme/usage", "{}"),
                client.post("/api/teams/acme/activity", "{}"))) {
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.header("Allow")).isIn("GET", "POST");
            assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
        }
    }

    /** They would save what they do not know as a file. */
    @Test
    void browsersShowIt() {
        Answer answer = client.get("/openapi.yaml");
        assertThat(answer.header("Content-Type")).isEqualToIgnoringCase("text/plain;charset=UTF-8");
        assertThat(answer.header("Content-Disposition")).isEmpty();
    }

    private void see(Map<String, Set<String>> seen, String operation, Set<String> statuses) {
        seen.computeIfAbsent(operation, any -> new TreeSet<>()).addAll(statuses);
    }

    private void see(Map<String, Set<String>> seen, String operation, Answer answer) {
        seen.computeIfAbsent(operation, any -> new TreeSet<>()).add(Integer.toString(answer.status()));
        if (answer.status() >= 400) {
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(fields(description.at("/components/schemas/Problem")))
                    .containsAll(answer.body().propertyNames());
        }
    }

    private JsonNode success(JsonNode operation) {
        return operation
                .get("responses")
                .propertyStream()
                .filter(response -> response.getKey().startsWith("2"))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    private Set<String> fields(JsonNode schema) {
        JsonNode reference = schema.at("/items/$ref").isMissingNode() ? schema.at("/$ref") : schema.at("/items/$ref");
        JsonNode resolved = reference.isMissingNode()
                ? schema
                : description.at(reference.asString().substring(1));
        return Set.copyOf(resolved.get("properties").propertyNames());
    }

    private static Class<?> answer(HandlerMethod method) {
        ResolvableType type = ResolvableType.forMethodReturnType(method.getMethod());
        boolean wraps = type.resolve() == ResponseEntity.class || type.resolve() == List.class;
        return (wraps ? type.getGeneric(0) : type).toClass();
    }

    private static Set<String> components(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .collect(Collectors.toUnmodifiableSet());
    }
}
