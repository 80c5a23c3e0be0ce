package dev.ttlstore.spring.security;

import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static java.util.Objects.requireNonNull;

/** Sends requests to an application, with cookies, and forms with their CSRF tokens. Does not follow redirects. */
final class Browser {

    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

    private final CookieManager cookies = new CookieManager();
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(cookies).build();
    private int port;

    /** A clock that runs as the real one, which Spring Security uses, but further on. */
    static final class Ahead extends Clock {
        private volatile Duration time = Duration.ZERO;

        void advance(Duration more) {
            time = time.plus(more);
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(time);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    /** Starts an application, to which requests go from now on. */
    ConfigurableApplicationContext start(Class<?> application, Clock clock, List<String> properties) {
        List<String> arguments = new ArrayList<>(
                List.of(
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"));
        properties.forEach(property -> arguments.add("--" + property));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
                .initializers(created -> created.getBeanFactory().registerSingleton("clock", clock))
                .run(arguments.toArray(String[]::new));
        port = requireNonNull(context.getEnvironment().getProperty("local.server.port", Integer.class));
        return context;
    }

    /** Sends requests to the application at a port from now on. */
    void visit(int another) {
        port = another;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    /** Sends a form as a page of the application does. */
    HttpResponse<String> post(String path, Map<String, String> fields) throws IOException, InterruptedException {
        Map<String, String> all = new TreeMap<>(fields);
        Matcher csrf = CSRF.matcher(get("/login").body());
        if (csrf.find()) {
            all.put("_csrf", csrf.group(1));
        }
        return send(HttpRequest.newBuilder(uri(path)), all);
    }

    /** Sends a form as a client of an authorization server does. */
    HttpResponse<String> postAs(String clientId, String path, Map<String, String> fields)
            throws IOException, InterruptedException {
        String login = Base64.getEncoder()
                .encodeToString((clientId + ":secret of " + clientId).getBytes(StandardCharsets.UTF_8));
        return send(HttpRequest.newBuilder(uri(path)).header("Authorization", "Basic " + login), fields);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, Map<String, String> fields)
            throws IOException, InterruptedException {
        return client.send(
                request.header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(encode(fields)))
                        .build(),
                BodyHandlers.ofString());
    }

    static String encode(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** Forgets all cookies but one, as when the browser was closed. */
    void keepOnly(String cookie) {
        cookies.getCookieStore().getCookies().stream()
                .filter(kept -> !kept.getName().equals(cookie))
                .toList()
                .forEach(dropped -> cookies.getCookieStore().remove(null, dropped));
    }

    HttpCookie cookie(String name) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    void setCookie(HttpCookie cookie) {
        cookies.getCookieStore().add(uri("/"), cookie);
    }
}
