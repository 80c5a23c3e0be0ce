package dev.ttlstore.spring.session;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.example.visits.VisitsApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.ott.GenerateOneTimeTokenRequest;
import org.springframework.security.authentication.ott.OneTimeTokenAuthenticationToken;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;

import dev.ttlstore.Store;
import dev.ttlstore.serialization.AllowedClasses;
import dev.ttlstore.serialization.JavaCodec;
import dev.ttlstore.spring.Java;
import dev.ttlstore.spring.security.OidcLoginsKit;
import dev.ttlstore.spring.security.StoreReactiveAuthorizedClientService;
import dev.ttlstore.spring.security.StoreReactiveOidcSessionRegistry;
import dev.ttlstore.spring.security.StoreReactiveOneTimeTokenService;

import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** No event loop waits: BlockHound ends whatever blocks one, in a JVM of its own because it changes classes of Java. */
class NonBlockingTests {

    private static final Duration LONG = Duration.ofSeconds(60);

    /** What a WebFlux application has not. */
    private static final List<String> SERVLETS = List.of(
            "spring-webmvc",
            "spring-boot-webmvc",
            "spring-boot-servlet",
            "spring-boot-tomcat",
            "tomcat-embed",
            "jakarta.servlet");

    @TempDir
    private Path folder;

    @Test
    void callsOfSessionsAndOfSecurityBlockNoEventLoop() throws Exception {
        assertNothingBlocks("calls");
    }

    @Tag("slow")
    @Test
    void requestsOfALoginBlockNoEventLoop() throws Exception {
        assertNothingBlocks("requests");
    }

    private void assertNothingBlocks(String uses) throws Exception {
        Process process = Java.startWithout(
                SERVLETS,
                List.of("-XX:+AllowRedefinitionToAddDeleteMethods"),
                NonBlockingTests.class,
                uses,
                folder.resolve("store.db").toString());
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("Nothing has blocked");
    }

    /** What is used, in its JVM. */
    public static void main(String[] arguments) {
        AtomicReference<BlockingOperationError> blocked = new AtomicReference<>();
        BlockHound.builder()
                .loadIntegrations()
                // Spring Security reads random numbers wherever a session has been found, with any repository.
                .allowBlockingCallsInside(
                        "org.springframework.security.web.server.csrf.XorServerCsrfTokenRequestAttributeHandler",
                        "createXoredCsrfToken")
                .markAsBlocking("org.sqlite.core.NativeDB", "step", "(J)I") // it waits for the disk, in native code
                .blockingMethodCallback(method -> {
                    BlockingOperationError error = new BlockingOperationError(method);
                    blocked.compareAndSet(null, error);
                    throw error;
                })
                .install();
        Path file = Path.of(arguments[1]);
        if (arguments[0].equals("calls")) {
            try (Store store = Store.open(file)) {
                assertThat(isCaught(() -> store.group("any").put("a", "b"))).isTrue();
                blocked.set(null);
                useInEventLoops(store);
            }
        } else {
            useByHttp(file);
        }
        BlockingOperationError error = blocked.get();
        if (error != null) {
            error.printStackTrace(System.out);
            System.exit(1);
        }
        System.out.println("Nothing has blocked");
    }

    private static boolean isCaught(Runnable call) {
        try {
            Mono.fromRunnable(call).subscribeOn(Schedulers.parallel()).block(LONG);
            return false;
        } catch (Throwable e) {
            return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
                    .anyMatch(BlockingOperationError.class::isInstance);
        }
    }

    private static void useByHttp(Path file) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(VisitsApplication.class)
                .run(
                        "--store.path=" + file,
                        "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                        "--store.session.enabled=true",
                        "--store.session.save-mode=always",
                        "--server.address=127.0.0.1",
                        "--server.port=0")) {
            useByHttp(context);
        }
    }

    private static void useByHttp(ConfigurableApplicationContext context) {
        Visitor ann = new Visitor(context);
        ann.logIn();
        assertThat(ann.get("/visit").body()).isEqualTo("ann 1");
        assertThat(ann.get("/visit").body()).isEqualTo("ann 2");
        Visitor phone = new Visitor(context);
        phone.logIn();
        assertThat(ann.get("/visit").statusCode()).isEqualTo(302);
        assertThat(phone.get("/visit").body()).isEqualTo("ann 1");
        phone.post("/logout", "");
        assertThat(phone.get("/visit").statusCode()).isEqualTo(302);
    }

    /** Calls all methods of a repository and of its sessions in threads that must not wait. */
    private static void useInEventLoops(Store store) {
        StoreReactiveSessionRepository sessions = new StoreReactiveSessionRepository(
                store,
                StoreSessionSettings.of(
                        Duration.ofMinutes(30),
                        new JavaCodec(AllowedClasses.of(List.of("org.springframework.security.**")), "any", null)),
                event -> {});
        Mono<String> id = sessions.createSession()
                .publishOn(Schedulers.single())
                .flatMap(session -> {
                    session.setAttribute(SessionKit.CONTEXT, SessionKit.login("bob"));
                    return sessions.save(session).thenReturn(session);
                })
                .publishOn(Schedulers.single())
                .flatMap(session -> {
                    session.changeSessionId();
                    session.setMaxInactiveInterval(Duration.ofMinutes(5));
                    return sessions.save(session).thenReturn(session);
                })
                .publishOn(Schedulers.single())
                .flatMap(session -> sessions.findById(session.changeSessionId())
                        .switchIfEmpty(sessions.save(session).thenReturn(session)))
                .publishOn(Schedulers.single())
                .flatMap(session -> sessions.findByPrincipalName("bob"))
                .publishOn(Schedulers.single())
                .map(found -> found.values().iterator().next().changeSessionId());
        String unsaved = requireNonNull(id.subscribeOn(Schedulers.parallel()).block(LONG));
        Mono.defer(() -> sessions.deleteById(unsaved))
                .subscribeOn(Schedulers.parallel())
                .block(LONG);
        useSecurityInEventLoops(store);
    }

    /** Calls the services of Spring Security in such threads. */
    private static void useSecurityInEventLoops(Store store) {
        var tokens = new StoreReactiveOneTimeTokenService(store, true);
        var registry = new StoreReactiveOidcSessionRegistry(store, LONG, OidcLoginsKit.users());
        ClientRegistration registration = ClientRegistration.withRegistrationId("login")
                .clientId("client")
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .tokenUri("https://provider.example/token")
                .build();
        var clients = new StoreReactiveAuthorizedClientService(store, id -> Mono.just(registration), LONG);
        OAuth2AuthorizedClient client = new OAuth2AuthorizedClient(
                registration, "bob", new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, "token", null, null));
        Mono<Void> all = tokens.generate(new GenerateOneTimeTokenRequest("bob"))
                .publishOn(Schedulers.single())
                .flatMap(token -> tokens.consume(new OneTimeTokenAuthenticationToken(token.getTokenValue())))
                .publishOn(Schedulers.single())
                .then(Mono.defer(() -> clients.saveAuthorizedClient(client, new TestingAuthenticationToken("bob", ""))))
                .publishOn(Schedulers.single())
                .then(Mono.defer(() -> clients.loadAuthorizedClient("login", "bob")))
                .publishOn(Schedulers.single())
                .then(Mono.defer(() -> clients.removeAuthorizedClient("login", "bob")))
                .publishOn(Schedulers.single())
                .then(Mono.defer(() -> registry.saveSessionInformation(OidcLoginsKit.login("one", "bob", "sid"))))
                .publishOn(Schedulers.single())
                .then(Mono.defer(() -> registry.removeSessionInformation("one")))
                .publishOn(Schedulers.single())
                .thenMany(Flux.defer(() -> registry.removeSessionInformation(
                        OidcLoginsKit.logoutAt("sid").build())))
                .then();
        all.subscribeOn(Schedulers.parallel()).block(LONG);
    }
}
