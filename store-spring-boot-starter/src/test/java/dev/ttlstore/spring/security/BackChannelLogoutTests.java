package dev.ttlstore.spring.security;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.example.fluxsso.FluxSsoApplication;
import org.example.sso.SsoApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.util.UriComponentsBuilder;

import dev.ttlstore.Store;
import dev.ttlstore.spring.TestDatabase;
import dev.ttlstore.spring.session.StoreReactiveSessionRepository;
import dev.ttlstore.spring.session.StoreSessionRepository;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** An OpenID provider logs users out, by HTTP, whichever instance of the application it asks. */
@ExtendWith(OutputCaptureExtension.class)
class BackChannelLogoutTests {

    private final Browser browser = new Browser();
    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    @TempDir
    private Path folder;

    private Provider provider;

    @BeforeEach
    void start() throws Exception {
        provider = new Provider();
    }

    @AfterEach
    void close() {
        contexts.forEach(ConfigurableApplicationContext::close);
        provider.close();
    }

    private List<String> inFile() {
        return List.of(
                "store.path=" + folder.resolve("sso.db"),
                "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    }

    private static List<String> onPostgreSql() {
        return List.of(TestDatabase.properties(TestDatabase.freshName()));
    }

    private ConfigurableApplicationContext start(Class<?> application, String type, List<String> engine) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.main.web-application-type=" + type,
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--store.session.enabled=true",
                "--store.oidc-sessions.enabled=true"));
        engine.forEach(property -> arguments.add("--" + property));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
                .initializers(
                        created -> created.getBeanFactory().registerSingleton("provider", provider.registration()))
                .run(arguments.toArray(String[]::new));
        contexts.add(context);
        return context;
    }

    private static int port(ConfigurableApplicationContext context) {
        return requireNonNull(context.getEnvironment().getProperty("local.server.port", Integer.class));
    }

    private void logIn(ConfigurableApplicationContext instance, String sid) throws Exception {
        browser.visit(port(instance));
        provider.nextSession(sid);
        HttpResponse<String> redirect = browser.get("/oauth2/authorization/login");
        var asked = UriComponentsBuilder.fromUri(URI.create(location(redirect)))
                .build()
                .getQueryParams();
        HttpResponse<String> answer = browser.get(
                "/login/oauth2/code/login?code=" + asked.getFirst("nonce") + "&state=" + asked.getFirst("state"));
        assertThat(location(answer)).doesNotContain("error");
        assertThat(user(instance)).isEqualTo("ann");
    }

    private static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElse("nowhere");
    }

    private String user(ConfigurableApplicationContext instance) throws Exception {
        browser.visit(port(instance));
        HttpResponse<String> answer = browser.get("/me");
        return answer.statusCode() == 200 ? answer.body() : "nobody";
    }

    /** A registry in memory has ended with that instance. */
    @Test
    void aLogoutEndsTheSessionThatAnEarlierInstanceHasBegun(CapturedOutput output) throws Exception {
        ConfigurableApplicationContext first = start(SsoApplication.class, "servlet", inFile());
        logIn(first, "sid-of-ann");
        first.close();
        ConfigurableApplicationContext second = start(SsoApplication.class, "servlet", inFile());
        assertThat(user(second)).isEqualTo("ann");
        assertThat(provider.logOut(port(second), "another")).isEqualTo(200);
        assertThat(user(second)).isEqualTo("ann");
        assertThat(provider.logOut(port(second), "sid-of-ann")).isEqualTo(200);
        assertThat(user(second)).isEqualTo("nobody");
        assertNoLoginIsLeft(second);
        logIn(second, "sid-of-ann");
        second.getBean(StoreSessionRepository.class)
                .deleteById(browser.cookie("SESSION").getValue());
        assertNoLoginIsLeft(second);
        assertThat(output).doesNotContain("sid-of-ann");
    }

    @Tag("postgresql")
    @Tag("variant")
    @Test
    void aLogoutThatReachesAnotherInstanceEndsTheSession() throws Exception {
        ConfigurableApplicationContext unused = assertInstancesShareLogouts(SsoApplication.class, "servlet");
    }

    @Tag("postgresql")
    @Tag("variant")
    @Test
    void aLogoutThatReachesAnotherInstanceOfAWebFluxApplicationEndsTheSession() throws Exception {
        ConfigurableApplicationContext first = assertInstancesShareLogouts(FluxSsoApplication.class, "reactive");
        logIn(first, "two");
        first.getBean(StoreReactiveSessionRepository.class)
                .deleteById(browser.cookie("SESSION").getValue())
                .block();
        assertNoLoginIsLeft(first);
    }

    private ConfigurableApplicationContext assertInstancesShareLogouts(Class<?> application, String type)
            throws Exception {
        List<String> engine = onPostgreSql();
        ConfigurableApplicationContext first = start(application, type, engine);
        ConfigurableApplicationContext second = start(application, type, engine);
        logIn(first, "one");
        assertThat(user(second)).isEqualTo("ann");
        assertThat(provider.logOut(port(second), "one")).isEqualTo(200);
        assertThat(user(first)).isEqualTo("nobody");
        assertThat(user(second)).isEqualTo("nobody");
        assertNoLoginIsLeft(first);
        return first;
    }

    private static void assertNoLoginIsLeft(ConfigurableApplicationContext context) {
        Store store = context.getBean(Store.class);
        assertThat(store.count(OidcSessions.GROUP)).isZero();
        assertThat(store.count(OidcSessions.INDEX_GROUP)).isZero();
    }
}
