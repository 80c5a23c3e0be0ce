package dev.ttlstore.spring.session;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.example.visits.VisitsApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.session.actuate.endpoint.ReactiveSessionsEndpoint;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.spring.TestDatabase;

import static dev.ttlstore.spring.session.Visitor.location;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Logins to a whole WebFlux application with the properties alone, by HTTP. */
class WebFluxLoginTests {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        contexts.forEach(ConfigurableApplicationContext::close);
    }

    private List<String> inFile() {
        return List.of(
                "--store.path=" + folder.resolve("visits.db"),
                "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    }

    private ConfigurableApplicationContext start(List<String> engine, String... more) {
        List<String> arguments = new ArrayList<>(engine);
        arguments.addAll(List.of(
                "--spring.main.web-application-type=reactive", // the class path of the tests has servlets as well
                "--store.session.enabled=true",
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--spring.main.banner-mode=off"));
        arguments.addAll(List.of(more));
        ConfigurableApplicationContext context =
                new SpringApplicationBuilder(VisitsApplication.class).run(arguments.toArray(String[]::new));
        contexts.add(context);
        return context;
    }

    @Test
    void aLoginSurvivesARestartAndEndsWithALogout() {
        String[] settings = {
            "--server.reactive.session.cookie.name=ID", "--management.endpoints.web.exposure.include=sessions"
        };
        ConfigurableApplicationContext context = start(inFile(), settings);
        Visitor ann = new Visitor(context);
        assertThat(location(ann.get("/visit"))).endsWith("/login");
        String before = ann.cookie("ID").getValue();
        assertThat(location(ann.logIn())).endsWith("/visit");
        String after = ann.cookie("ID").getValue();
        assertThat(after).isNotEqualTo(before);
        assertThat(ann.get("/visit").body()).isEqualTo("ann 1");
        context.close();
        context = start(inFile(), settings);
        ann.visit(context);
        assertThat(ann.get("/visit").body()).isEqualTo("ann 2");
        assertThat(ann.get("/actuator/sessions?username=ann").body()).contains(after);
        assertThat(ann.get("/actuator/sessions/" + after).body()).contains("\"visits\"");

        Visitor phone = new Visitor(context);
        phone.logIn();
        assertThat(location(ann.get("/visit"))).endsWith("/login");
        assertThat(phone.get("/visit").body()).isEqualTo("ann 1");
        StoreReactiveSessionRepository sessions = context.getBean(StoreReactiveSessionRepository.class);
        assertThat(ofAnn(sessions)).hasSize(1);

        assertThat(location(phone.post("/logout", ""))).endsWith("/login?logout");
        String kept = phone.cookie("ID").getValue();
        assertThat(sessions.findById(kept).block(LONG)).isNotNull(); // as Spring Security has it
        assertThat(location(phone.get("/visit"))).endsWith("/login");
        assertThat(ofAnn(sessions)).isEmpty();

        ann.logIn();
        context.getBean(ReactiveSessionsEndpoint.class)
                .deleteSession(ann.cookie("ID").getValue())
                .block(LONG);
        assertThat(location(ann.get("/visit"))).endsWith("/login");
    }

    private static Map<String, StoreSession> ofAnn(StoreReactiveSessionRepository sessions) {
        return requireNonNull(sessions.findByPrincipalName("ann").block(LONG));
    }

    @Tag("variant")
    @Tag("postgresql")
    @Test
    void instancesOnPostgreSqlShareLogins() {
        List<String> engine = List.of(TestDatabase.properties(TestDatabase.freshName())).stream()
                .map(property -> "--" + property)
                .toList();
        ConfigurableApplicationContext first = start(engine, "--store.session.format=json");
        ConfigurableApplicationContext second = start(engine, "--store.session.format=json");
        Visitor ann = new Visitor(first);
        ann.logIn();
        assertThat(ann.get("/visit").body()).isEqualTo("ann 1");
        ann.visit(second);
        assertThat(ann.get("/visit").body()).isEqualTo("ann 2");
        Visitor phone = new Visitor(second);
        phone.logIn();
        ann.visit(first);
        assertThat(location(ann.get("/visit"))).endsWith("/login");
        assertThat(location(phone.post("/logout", ""))).endsWith("/login?logout");
        phone.visit(first);
        assertThat(location(phone.get("/visit"))).endsWith("/login");

        ann.logIn();
        ann.visit(second);
        assertThat(ann.post("/leave-all", "").statusCode()).isEqualTo(200);
        ann.visit(first);
        assertThat(location(ann.get("/visit"))).endsWith("/login");
    }
}
