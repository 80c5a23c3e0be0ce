package dev.ttlstore.spring.session;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.example.accounts.AccountsApplication;
import org.example.accounts.SessionLog;
import org.example.accounts.Stock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import dev.ttlstore.Codec;
import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;

import static dev.ttlstore.spring.session.Visitor.location;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Logins with Spring Security, by HTTP, to a whole application with the properties alone. */
@ExtendWith(OutputCaptureExtension.class)
class LoginTests {

    private static final Map<String, ConfigurableApplicationContext> SHARED = new HashMap<>();

    /** Of the applications that tests share. */
    @TempDir
    private static Path sharedFolder;

    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        contexts.forEach(ConfigurableApplicationContext::close);
    }

    @AfterAll
    static void closeShared() {
        SHARED.values().forEach(ConfigurableApplicationContext::close);
        SHARED.clear();
    }

    /** Returns the application of the tests that start nothing again and look at no events; it has no sessions. */
    private static ConfigurableApplicationContext shared(String format) {
        ConfigurableApplicationContext context =
                SHARED.computeIfAbsent(format, name -> run(inFile(sharedFolder.resolve(name)), formatted(name)));
        context.getBean(Store.class).deletePrefix("");
        return context;
    }

    private static String formatted(String format) {
        return "--store.session.format=" + format;
    }

    private static List<String> inFile(Path file) {
        return List.of(
                "--store.path=" + file,
                "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    }

    private ConfigurableApplicationContext start(String... more) {
        return start(inFile(folder.resolve("accounts.db")), more);
    }

    private ConfigurableApplicationContext start(List<String> engine, String... more) {
        ConfigurableApplicationContext context = run(engine, more);
        contexts.add(context);
        return context;
    }

    private static ConfigurableApplicationContext run(List<String> engine, String... more) {
        List<String> arguments = new ArrayList<>(engine);
        arguments.addAll(List.of(
                "--store.session.enabled=true",
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--spring.main.banner-mode=off"));
        arguments.addAll(List.of(more));
        return new SpringApplicationBuilder(AccountsApplication.class).run(arguments.toArray(String[]::new));
    }

    private static List<String> events(ConfigurableApplicationContext context) {
        return context.getBean(SessionLog.class).events();
    }

    @Test
    void aLoginLeadsToTheSavedRequestAndSurvivesARestart(CapturedOutput output) {
        assertLoginSurvivesARestart("java", output);
    }

    @Tag("variant")
    @Test
    void aLoginThatIsKeptAsJsonSurvivesARestart(CapturedOutput output) {
        assertLoginSurvivesARestart("json", output);
    }

    private void assertLoginSurvivesARestart(String format, CapturedOutput output) {
        ConfigurableApplicationContext context = start(formatted(format));
        Visitor ann = new Visitor(context);
        assertThat(location(ann.get("/account?choose=book"))).endsWith("/login");
        String before = ann.cookie("SESSION").getValue();
        assertThat(location(ann.logIn())).contains("/account?choose=book");
        assertThat(ann.cookie("SESSION").getValue()).isNotEqualTo(before);
        assertThat(ann.get("/account?choose=book").body()).isEqualTo("ann [book]");
        context.close();
        ann.visit(start(formatted(format)));
        assertThat(ann.get("/account").body()).isEqualTo("ann [book]");
        assertThat(output).doesNotContain("counts as absent", "[book]", before);
    }

    @Tag("variant")
    @ParameterizedTest
    @ValueSource(strings = {"java", "json"})
    void aFailedLoginSaysSo(String format) {
        Visitor ann = new Visitor(shared(format));
        assertThat(location(ann.post("/login", "username=ann&password=wrong"))).endsWith("/login?error");
        assertThat(ann.get("/login?error").body()).contains("Invalid credentials");
    }

    @Test
    void aSecondLoginEndsTheFirst() {
        ConfigurableApplicationContext context = shared("java");
        Visitor desk = new Visitor(context);
        Visitor phone = new Visitor(context);
        desk.logIn();
        assertThat(desk.get("/account").body()).isEqualTo("ann");
        phone.logIn();
        assertThat(desk.get("/account").body()).contains("session has been expired");
        assertThat(desk.get("/account").statusCode()).isEqualTo(302);
        assertThat(phone.get("/account").body()).isEqualTo("ann");
        assertThat(context.getBean(StoreSessionRepository.class).findByPrincipalName("ann"))
                .hasSize(1);
    }

    @Test
    void allSessionsOfAUserEnd() {
        ConfigurableApplicationContext context = shared("java");
        Visitor ann = new Visitor(context);
        ann.logIn();
        StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
        sessions.findByPrincipalName("ann").keySet().forEach(sessions::deleteById);
        assertThat(ann.get("/account").statusCode()).isEqualTo(302);
    }

    @Tag("variant")
    @Test
    void aLogoutIsAnEventWithTheSession() {
        ConfigurableApplicationContext context = start();
        Visitor ann = new Visitor(context);
        ann.logIn();
        ann.get("/account?choose=book");
        assertThat(events(context)).containsOnlyOnce("created");
        assertThat(location(ann.post("/logout", ""))).endsWith("/login?logout");
        assertThat(events(context)).contains("SessionDeletedEvent Cart[items=[book]]", "destroyed Cart[items=[book]]");
        assertThat(ann.get("/account").statusCode()).isEqualTo(302);
        assertThat(context.getBean(StoreSessionRepository.class).findByPrincipalName("ann"))
                .isEmpty();
    }

    @Test
    void anExpiryIsAnEventWithTheSessionOnTime() {
        ConfigurableApplicationContext context = start("--server.servlet.session.timeout=3s");
        Visitor ann = new Visitor(context);
        ann.logIn();
        assertThat(ann.get("/account?choose=book").body()).isEqualTo("ann [book]");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> events(context).contains("SessionExpiredEvent Cart[items=[book]]"));
        Instant told = Instant.now();
        await().untilAsserted(() -> assertThat(events(context)).contains("destroyed Cart[items=[book]]"));
        assertThat(context.getBean(SessionLog.class).expiries())
                .last()
                .satisfies(expiry -> assertThat(Duration.between(expiry, told)).isLessThan(Duration.ofSeconds(10)));
        assertThat(context.getBean(Stock.class).released()).containsExactly("book");
        assertThat(location(ann.get("/account"))).endsWith("/login");
    }

    @Tag("variant")
    @Test
    void theCookieIsTheOneOfBootsProperties() {
        Visitor ann = new Visitor(
                start("--server.servlet.session.cookie.name=ID", "--server.servlet.session.cookie.max-age=1h"));
        ann.logIn();
        assertThat(ann.cookie("ID").getMaxAge()).isBetween(3000L, 3600L);
        assertThat(ann.get("/account").body()).isEqualTo("ann");
    }

    @Tag("variant")
    @Test
    void aSessionThatCannotBeReadLeadsToTheLogin(CapturedOutput output) {
        ConfigurableApplicationContext context = start();
        Visitor ann = new Visitor(context);
        ann.logIn();
        context.close();
        ConfigurableApplicationContext later = start("--store.session.format=json");
        ann.visit(later);
        HttpResponse<String> answer = ann.get("/account");
        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(location(answer)).endsWith("/login");
        assertThat(output).contains("A session counts as absent, because its attribute '");
        assertThat(location(ann.logIn())).contains("/account");
    }

    @Test
    void keysAreHashesAndNoPrincipalIsReadable() {
        ConfigurableApplicationContext context = shared("java");
        Visitor ann = new Visitor(context);
        ann.logIn();
        String id = context.getBean(StoreSessionRepository.class)
                .findByPrincipalName("ann")
                .keySet()
                .iterator()
                .next();
        Store store = context.getBean(Store.class);
        assertThat(store.groups("session")).contains("session", "session.index");
        for (String group : List.of("session", "session.index")) {
            assertThat(store.group(group, Codec.bytes()).keys())
                    .noneMatch(key -> key.contains(id) || key.contains("ann"));
        }
    }

    @Tag("variant")
    @Tag("postgresql")
    @Test
    void instancesOnPostgreSqlShareLogins() {
        String schema = TestDatabase.freshName();
        List<String> engine = List.of(TestDatabase.properties(schema)).stream()
                .map(property -> "--" + property)
                .toList();
        ConfigurableApplicationContext first = start(engine);
        ConfigurableApplicationContext second = start(engine);
        Visitor ann = new Visitor(first);
        ann.logIn();
        assertThat(ann.get("/account?choose=book").body()).isEqualTo("ann [book]");
        ann.visit(second);
        assertThat(ann.get("/account").body()).isEqualTo("ann [book]");
        Visitor phone = new Visitor(second);
        phone.logIn();
        ann.visit(first);
        assertThat(ann.get("/account").body()).contains("session has been expired");
    }
}
