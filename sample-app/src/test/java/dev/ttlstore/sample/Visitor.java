package dev.ttlstore.sample;

import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.ttlstore.sample.SampleClient.Answer;

import tools.jackson.databind.json.JsonMapper;

/** What a browser does without its screen: it keeps cookies, and posts with the token of the page that it has loaded. */
public final class Visitor {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern TOKEN = Pattern.compile("<meta name=\"csrf\" content=\"([^\"]+)\">");

    private final CookieManager cookies = new CookieManager();
    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(cookies).build();
    private final String root;
    private String token = "";

    public Visitor(int port) {
        this.root = "http://localhost:" + port;
    }

    /** One that has opened the first page. */
    public static Visitor open(int port) {
        Visitor visitor = new Visitor(port);
        visitor.load("/");
        return visitor;
    }

    public Answer load(String path) {
        Answer page = answer(request(path).GET());
        Matcher meta = TOKEN.matcher(page.response().body());
        if (meta.find()) {
            token = meta.group(1);
        }
        return page;
    }

    public Answer post(String path, Map<String, String> body) {
        return answer(request(path)
                .header("Content-Type", "application/json")
                .header("X-XSRF-TOKEN", token)
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    /** A form of the page that it has loaded. */
    public Answer submit(String path, Map<String, String> fields) {
        String form = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return answer(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form + "&_csrf=" + URLEncoder.encode(token, StandardCharsets.UTF_8))));
    }

    public Answer logIn(String password) {
        return logIn(SampleTest.ADMIN, password, "");
    }

    /** Logs in on the page for those who wanted another page. */
    public Answer logIn(String name, String password, String next) {
        load("/login?next=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
        return submit("/login", Map.of("username", name, "password", password, "next", next));
    }

    public HttpCookie cookie(String name) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    public Answer answer(HttpRequest.Builder request) {
        HttpResponse<String> response = send(request, BodyHandlers.ofString());
        return new Answer(response.statusCode(), response);
    }

    public <T> HttpResponse<T> send(HttpRequest.Builder request, BodyHandler<T> handler) {
        try {
            return http.send(request.build(), handler);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + path)).header("Accept", "text/html,*/*;q=0.8");
    }
}
