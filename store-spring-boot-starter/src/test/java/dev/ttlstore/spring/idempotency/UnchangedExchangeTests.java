package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.example.payments.PaymentsApplication;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.multipart.MultipartFile;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A request with a key reaches the application, and its answer the client, as without one. */
class UnchangedExchangeTests {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final AtomicInteger KEYS = new AtomicInteger();

    @TempDir
    private static Path folder;

    private static @Nullable ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(PaymentsApplication.class, Handlers.class, Pages.class, Uploads.class)
                .run(
                        "--store.path=" + folder.resolve("store.db"),
                        "--store.idempotency.enabled=true",
                        "--store.idempotency.max-answer-size=100KB",
                        "--store.idempotency.statuses=418",
                        "--spring.web.error.include-message=always",
                        "--spring.servlet.multipart.max-file-size=1KB",
                        "--server.tomcat.max-http-response-header-size=200KB",
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    }

    @AfterAll
    static void stop() {
        requireNonNull(context).close();
    }

    @BeforeEach
    void forget() {
        handlers().started.clear();
        handlers().calls.set(0);
    }

    private static Handlers handlers() {
        return requireNonNull(context).getBean(Handlers.class);
    }

    /** What an application does with requests and answers, without Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    static class Handlers {
        private final AtomicInteger calls = new AtomicInteger();
        private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
        private final CountDownLatch goOn = new CountDownLatch(1);

        @Bean
        ServletRegistrationBean<HttpServlet> rawServlet() {
            ServletRegistrationBean<HttpServlet> registration = new ServletRegistrationBean<>(
                    new HttpServlet() {
                        @Override
                        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                                throws IOException, ServletException {
                            calls.incrementAndGet();
                            handle(request.getPathInfo(), request, response);
                        }
                    },
                    "/raw/*");
            registration.setAsyncSupported(true);
            return registration;
        }

        @Bean
        ServletRegistrationBean<HttpServlet> includedServlet() {
            return new ServletRegistrationBean<>(
                    new HttpServlet() {
                        @Override
                        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                                throws IOException {
                            response.setHeader("X-Included", "is ignored");
                            response.getWriter().print("part");
                        }
                    },
                    "/part");
        }

        private void handle(String what, HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            switch (what) {
                case "/body" ->
                    response.getOutputStream().write(request.getInputStream().readAllBytes());
                case "/reader" -> response.getWriter().print(request.getReader().readLine());
                case "/ignored" -> response.getWriter().print("called " + calls);
                case "/redirect" -> response.sendRedirect("/elsewhere?a=b");
                case "/permanent" -> response.sendRedirect("/elsewhere", 301, true);
                case "/moved" -> response.sendRedirect("/elsewhere", 308);
                case "/cleared" -> response.sendRedirect("/elsewhere", true);
                case "/error" -> response.sendError(410, "It is gone");
                case "/teapot" -> response.sendError(418);
                case "/missing" -> response.sendError(404, "It is not there");
                case "/partial" -> {
                    response.setStatus(201);
                    response.getOutputStream().write("beginning".getBytes(StandardCharsets.UTF_8));
                    response.flushBuffer();
                    response.setStatus(202);
                    response.setHeader("X-Late", "late");
                }
                case "/reset" -> {
                    response.setHeader("X-Early", "early");
                    response.getWriter().print("nonsense");
                    response.reset();
                    response.setStatus(203);
                    response.getWriter().print("committed: " + response.isCommitted());
                }
                case "/kept-writer" -> {
                    PrintWriter writer = response.getWriter();
                    writer.print("nonsense");
                    response.reset();
                    writer.print("after the reset");
                }
                case "/late-type" -> {
                    PrintWriter writer = response.getWriter();
                    response.setContentType("text/html;charset=UTF-8");
                    response.setHeader("Content-Type", "text/plain;charset=UTF-8");
                    response.setCharacterEncoding(StandardCharsets.UTF_8);
                    writer.print("grün");
                }
                case "/closed" -> {
                    try (PrintWriter writer = response.getWriter()) {
                        writer.print("closed");
                    }
                    response.setHeader("X-Late", "late");
                }
                case "/forwarded" -> request.getRequestDispatcher("/raw/writer").forward(request, response);
                case "/forwarded-error" ->
                    request.getRequestDispatcher("/raw/error").forward(request, response);
                case "/included" -> {
                    response.getWriter().print("beginning ");
                    request.getRequestDispatcher("/part").include(request, response);
                    response.getWriter().print(" end");
                }
                case "/closed-stream" -> {
                    response.getOutputStream().print("closed");
                    response.getOutputStream().close();
                    response.setHeader("X-Late", "late");
                }
                case "/buffer" -> {
                    response.getOutputStream().write(new byte[20_000]);
                    response.setHeader("X-Late", "late");
                    response.getOutputStream().print(" committed: " + response.isCommitted());
                }
                case "/late-error" -> {
                    response.getOutputStream().write(new byte[20_000]);
                    try {
                        response.sendError(500);
                    } catch (IllegalStateException e) {
                        response.getOutputStream().print("refused");
                    }
                }
                case "/writer" -> {
                    response.setContentType("text/plain");
                    response.getWriter().print("grün €");
                }
                case "/utf-8" -> {
                    response.setContentType("text/plain;charset=UTF-8");
                    response.getWriter().print("grün €");
                }
                case "/marked" -> {
                    response.setContentType("text/plain;charset=UTF-16");
                    PrintWriter writer = response.getWriter();
                    writer.print("nonsense");
                    response.resetBuffer();
                    writer.print("with a mark of the order of bytes");
                }
                case "/long-header" -> {
                    response.setHeader("X-Long", "x".repeat(70_000));
                    response.getWriter().print("ok");
                }
                case "/empty" -> response.setStatus(204);
                case "/async" -> started.add(request.startAsync(request, response));
                case "/async-plain" -> started.add(request.startAsync());
                case "/timeout" -> request.startAsync(request, response).setTimeout(50);
                case "/stream" -> {
                    response.setContentType("text/event-stream");
                    response.getWriter().print("data: 1\n\n");
                    response.flushBuffer();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new ServletException(e);
                    }
                    response.getWriter().print("data: 2\n\n");
                }
                case "/large" -> {
                    response.setContentType("text/plain");
                    for (int i = 0; i < 1_000; i++) {
                        response.getOutputStream()
                                .write("0123456789".repeat(100).getBytes(StandardCharsets.UTF_8));
                    }
                }
                default -> throw new ServletException("There is no " + what);
            }
        }
    }

    /** For pages of two other origins. */
    @RestController
    @RequestMapping("/pages")
    @CrossOrigin(
            origins = {"https://a.example", "https://b.example"},
            exposedHeaders = "Retry-After")
    static class Pages {

        @PostMapping("/order")
        ResponseEntity<String> order(@RequestParam(name = "never", required = false) @Nullable String never) {
            return ResponseEntity.status(201)
                    .header("X-Request-Id", "of the first request")
                    .header("X-RateLimit-Remaining", "7")
                    .header("X-Order", "1")
                    .body("ordered");
        }

        @PostMapping("/plain")
        String plain() {
            return "answered";
        }

        @PostMapping("/upload")
        String upload(@RequestParam("file") MultipartFile file) {
            return file.getSize() + " bytes";
        }
    }

    /** Answers in the application's own words. */
    @RestControllerAdvice
    static class Uploads {

        @ExceptionHandler(MaxUploadSizeExceededException.class)
        ResponseEntity<String> tooLarge() {
            return ResponseEntity.status(422).body("Smaller files, please");
        }
    }

    private static String newKey() {
        return "key-" + KEYS.incrementAndGet();
    }

    private static HttpRequest.Builder request(String path, @Nullable String key) {
        String port = requireNonNull(requireNonNull(context).getEnvironment().getProperty("local.server.port"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20))
                .POST(BodyPublishers.ofString("a=b&c=d"));
        return key == null ? request : request.header("Idempotency-Key", key);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HttpResponse<String> post(String path, @Nullable String key) {
        return send(request(path, key));
    }

    private static HttpRequest.Builder form(String path, @Nullable String key, String body) {
        return request(path, key)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
    }

    /** What a client sees, beside the time and how the body was cut into pieces. */
    private static Map<String, Object> seen(HttpResponse<String> answer) {
        Map<String, Object> seen = new LinkedHashMap<>(answer.headers().map());
        for (String name : List.of(
                "date", "content-length", "transfer-encoding", "connection", "keep-alive", "idempotency-replayed")) {
            seen.remove(name);
        }
        seen.put("status", answer.statusCode());
        seen.put("body", answer.body().replaceAll("\"timestamp\":\"[^\"]*\"", ""));
        return seen;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/raw/body",
                "/raw/reader",
                "/raw/redirect",
                "/raw/permanent",
                "/raw/error",
                "/raw/teapot",
                "/raw/partial",
                "/raw/moved",
                "/raw/cleared",
                "/raw/reset",
                "/raw/kept-writer",
                "/raw/late-type",
                "/raw/closed",
                "/raw/closed-stream",
                "/raw/forwarded",
                "/raw/forwarded-error",
                "/raw/included",
                "/raw/buffer",
                "/raw/late-error",
                "/raw/writer",
                "/raw/utf-8",
                "/raw/marked",
                "/raw/long-header",
                "/raw/empty",
                "/pages/plain"
            })
    void anAnswerIsSentAsWithoutAKeyAndRepeatedSo(String path) {
        String key = newKey();
        Map<String, Object> plain = seen(post(path, null));
        HttpResponse<String> first = post(path, key);
        HttpResponse<String> second = post(path, key);
        assertThat(seen(first)).isEqualTo(plain);
        assertThat(seen(second)).isEqualTo(plain);
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(second.headers().firstValue("Idempotency-Replayed")).isPresent();
    }

    /** Trailers are not held back: nothing of them is sent before the body. */
    @Test
    void everythingThatChangesAResponseIsHeldBack() throws NoSuchMethodException {
        for (Class<?> wrapper : List.of(ServletResponseWrapper.class, HttpServletResponseWrapper.class)) {
            for (Method method : wrapper.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers())
                        && method.getReturnType() == void.class
                        && !Set.of("setResponse", "setTrailerFields").contains(method.getName())) {
                    assertThat(HeldResponse.class.getMethod(method.getName(), method.getParameterTypes()))
                            .extracting(Method::getDeclaringClass)
                            .isIn(HeldResponse.class, ResponseHead.class);
                }
            }
        }
    }

    @Test
    void theBodyOfAFormCanBeReadAsItCame() {
        String key = newKey();
        for (int i = 0; i < 2; i++) {
            assertThat(send(form("/raw/body", key, "b=%20&a=1")).body()).isEqualTo("b=%20&a=1");
        }
        assertThat(send(form("/raw/body", key, "a=1&b=%20")).statusCode()).isEqualTo(422);
        assertThat(handlers().calls).hasValue(1);
    }

    /** A container would refuse it only if somebody asked for the parameters. */
    @Test
    void aFormThatNobodyReadsMayBeMalformed() {
        String key = newKey();
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> answer = send(form("/raw/ignored", key, "a=%zz"));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("called 1");
        }
        assertThat(send(form("/raw/ignored", key, "a=%yy")).statusCode()).isEqualTo(422);
    }

    /** Only a form is read by the container. */
    @Test
    void whatMerelyBeginsLikeAFormIsComparedByteByByte() {
        String key = newKey();
        HttpRequest.Builder first =
                request("/raw/body", key).header("Content-Type", "application/x-www-form-urlencoded2");
        assertThat(send(first).statusCode()).isEqualTo(200);
        HttpRequest.Builder other = request("/raw/body", key)
                .header("Content-Type", "application/x-www-form-urlencoded2")
                .POST(BodyPublishers.ofString("a=b&c=e"));
        assertThat(send(other).statusCode()).isEqualTo(422);
    }

    @Test
    void aRequestToAnotherHostIsAnotherRequest() {
        String key = newKey();
        assertThat(post("/raw/ignored", key).statusCode()).isEqualTo(200);
        HttpRequest.Builder other = HttpRequest.newBuilder(URI.create(
                        request("/raw/ignored", key).build().uri().toString().replace("127.0.0.1", "localhost")))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("a=b&c=d"));
        assertThat(send(other).statusCode()).isEqualTo(422);
    }

    @Test
    void anUploadThatIsTooLargeIsAnsweredByTheApplication() {
        for (String key : new String[] {null, newKey()}) {
            HttpResponse<String> answer = send(request("/pages/upload", key)
                    .header("Content-Type", "multipart/form-data; boundary=x")
                    .POST(BodyPublishers.ofString(
                            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
                                    + "a".repeat(5_000) + "\r\n--x--\r\n")));
            assertThat(answer.statusCode()).isEqualTo(422);
            assertThat(answer.body()).isEqualTo("Smaller files, please");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/raw/async", "/raw/async-plain"})
    void anAsynchronousAnswerIsStoredWhenItIsComplete(String path) throws Exception {
        String key = newKey();
        CompletableFuture<HttpResponse<String>> first =
                CLIENT.sendAsync(request(path, key).build(), BodyHandlers.ofString());
        AsyncContext running = requireNonNull(handlers().started.poll(20, TimeUnit.SECONDS));
        HttpResponse<String> beside = post(path, key);
        assertThat(beside.statusCode()).isEqualTo(409);
        assertThat(first.isDone()).isFalse();
        running.getResponse().setContentType("text/plain");
        running.getResponse().getWriter().print("at last");
        running.complete();
        assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("at last");
        assertThat(post(path, key).body()).isEqualTo("at last");
        assertThat(handlers().calls).hasValue(1);
    }

    @Test
    void anAsynchronousAnswerThatFailsFreesItsKey() throws Exception {
        String key = newKey();
        for (int i = 1; i <= 2; i++) {
            CompletableFuture<HttpResponse<String>> failing =
                    CLIENT.sendAsync(request("/raw/async", key).build(), BodyHandlers.ofString());
            AsyncContext running = requireNonNull(handlers().started.poll(20, TimeUnit.SECONDS));
            ((HttpServletResponse) running.getResponse()).sendError(500);
            running.complete();
            assertThat(failing.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
            assertThat(handlers().calls).hasValue(i);
        }
    }

    /** The container sends its error page before it says that the request is over, so the key can be taken for a moment longer. */
    @Test
    void anAsynchronousAnswerThatNeverComesFreesItsKey() {
        String key = newKey();
        assertThat(post("/raw/timeout", key).statusCode()).isEqualTo(500);
        await().until(() -> post("/raw/timeout", key).statusCode() == 500);
        assertThat(handlers().calls).hasValue(2);
    }

    /** Its client must not wait for the end, which may never come. */
    @Test
    void aStreamIsSentAsItComes() throws Exception {
        String key = newKey();
        HttpResponse<InputStream> answer =
                CLIENT.send(request("/raw/stream", key).build(), BodyHandlers.ofInputStream());
        try (InputStream stream = answer.body()) {
            assertThat(stream.readNBytes(7)).asString().isEqualTo("data: 1");
            assertThat(post("/raw/stream", key).statusCode()).isEqualTo(409);
            handlers().goOn.countDown();
            assertThat(stream.readAllBytes()).asString().endsWith("data: 2\n\n");
        }
        assertThat(post("/raw/stream", key).body()).contains("could not be kept");
        assertThat(handlers().calls).hasValue(1);
    }

    @Test
    void anAnswerThatIsTooLargeIsSentButNotKept() {
        String key = newKey();
        assertThat(post("/raw/large", key).body()).hasSize(1_000_000);
        HttpResponse<String> second = post("/raw/large", key);
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("could not be kept");
        assertThat(handlers().calls).hasValue(1);
    }

    /** Otherwise whoever asks for nonsense fills the disk. */
    @Test
    void anAnswerThatSaysThatNothingIsThereIsNotKept() {
        String key = newKey();
        for (int i = 1; i <= 2; i++) {
            assertThat(post("/raw/missing", key).statusCode()).isEqualTo(404);
            assertThat(handlers().calls).hasValue(i);
        }
    }

    @Test
    void headersOfARequestAreNotRepeated() {
        String key = newKey();
        HttpResponse<String> first = send(request("/pages/order", key).header("Origin", "https://a.example"));
        HttpResponse<String> second = send(request("/pages/order", key).header("Origin", "https://b.example"));
        assertThat(first.headers().firstValue("Access-Control-Allow-Origin")).hasValue("https://a.example");
        assertThat(second.headers().allValues("Access-Control-Allow-Origin")).containsExactly("https://b.example");
        assertThat(second.headers().firstValue("X-Order")).hasValue("1");
        assertThat(first.headers().firstValue("X-Request-Id")).isPresent();
        assertThat(second.headers().firstValue("X-Request-Id")).isEmpty();
        assertThat(second.headers().firstValue("X-RateLimit-Remaining")).isEmpty();
        assertThat(second.body()).isEqualTo("ordered");
    }

    /** A browser shows scripts nothing else. */
    @Test
    void pagesOfOtherOriginsCanReadRefusals() {
        String key = newKey();
        assertThat(send(request("/pages/order", key).header("Origin", "https://a.example"))
                        .statusCode())
                .isEqualTo(201);
        HttpResponse<String> refused = send(request("/pages/order?other", key).header("Origin", "https://a.example"));
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.headers().firstValue("Access-Control-Allow-Origin")).hasValue("https://a.example");
        assertThat(refused.headers().firstValue("Access-Control-Expose-Headers"))
                .hasValue("Retry-After");
        HttpResponse<String> foreign = send(request("/pages/order", key).header("Origin", "https://evil.example"));
        assertThat(foreign.statusCode()).isEqualTo(403);
        assertThat(foreign.body()).doesNotContain("ordered");
    }
}
