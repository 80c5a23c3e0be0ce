package dev.ttlstore.spring.session;

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
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.context.ConfigurableApplicationContext;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** A browser with its cookies, which are those of a host, at whatever port. */
final class Visitor {

    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]*)\"");

    private final CookieManager cookies = new CookieManager();
    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(cookies).build();

    private ConfigurableApplicationContext context;

    Visitor(ConfigurableApplicationContext context) {
        this.context = context;
    }

    void visit(ConfigurableApplicationContext another) {
        context = another;
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    /** Sends a form with the token of the login page. */
    HttpResponse<String> post(String path, String form) {
        Matcher token =
                TOKEN.matcher(get(path.equals("/logout") ? "/logout" : "/login").body());
        assertThat(token.find()).isTrue();
        return send(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(
                        form + "&_csrf=" + URLEncoder.encode(requireNonNull(token.group(1)), UTF_8))));
    }

    HttpResponse<String> logIn() {
        return post("/login", "username=ann&password=secret");
    }

    HttpCookie cookie(String name) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private HttpRequest.Builder request(String path) {
        String port = requireNonNull(context.getEnvironment().getProperty("local.server.port"));
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Accept", "text/html,*/*;q=0.8")
                .timeout(Duration.ofSeconds(60));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns where an answer leads to. */
    static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElse("nowhere");
    }
}
