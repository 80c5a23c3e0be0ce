package dev.ttlstore.sample.browser;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Someone with cookies and no script: what the server itself does with requests for pages. */
final class Visitor {

    private static final Pattern TOKEN = Pattern.compile("<meta name=\"csrf\" content=\"([^\"]+)\">");

    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private final String root;

    Visitor(String root) {
        this.root = root;
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    /** With the operator's name and password, as monitoring asks. */
    HttpResponse<String> getAsAdmin(String path) {
        String login = SampleTest.ADMIN + ":" + SampleTest.PASSWORD;
        String encoded = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        return send(request(path).header("Authorization", "Basic " + encoded).GET());
    }

    HttpResponse<String> head(String path) {
        return send(request(path).method("HEAD", BodyPublishers.noBody()));
    }

    HttpResponse<String> post(String path, Map<String, String> fields) {
        String form = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    HttpResponse<String> postJson(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    /** The token that a page of this visitor carries. */
    String token(String page) {
        Matcher token = TOKEN.matcher(get(page).body());
        if (!token.find()) {
            throw new IllegalStateException("There is no token in " + page);
        }
        return token.group(1);
    }

    HttpResponse<String> logIn(String password) {
        return post("/login", Map.of("username", SampleTest.ADMIN, "password", password, "_csrf", token("/login")));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
