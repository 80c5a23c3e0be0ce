package dev.ttlstore.sample.web;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

@SampleTest
class AnswerHeadersTests {

    @LocalServerPort
    private int port;

    @ParameterizedTest
    @CsvSource({
        "/, 200",
        "/reveal, 200",
        "/teams/acme, 200",
        "/teams/a_b, 400",
        "/login, 200",
        "/admin, 302",
        "/app.css, 200",
        "/nothing, 404",
        "/a;b, 400",
        "//, 400",
        "/?team=%ff, 400",
        "/teams/a%25zz, 400",
        "/login?error=%ff, 400",
        "/error, 404",
        "/api/teams/acme/usage, 200",
        "/api/teams/a_b/usage, 400",
        "/api/teams/acme/secrets/nothing, 404",
        "/api/nothing, 404",
        "/page/look, 405",
        "/actuator/health, 200",
        "/actuator/metrics, 401"
    })
    void everyAnswerHasTheHeaders(String path, int status) {
        Answer answer = Visitor.open(port).load(path);
        assertThat(answer.status()).isEqualTo(status);
        assertHeaders(answer);
        assertThat(answer.header("Cache-Control")).isEqualTo(path.equals("/app.css") ? "no-cache" : "no-store");
    }

    @Test
    void soHaveRefusals() {
        // Each by a connection of its own: the server may close one after it has refused a request.
        assertHeaders(new SampleClient(port).post("/page/reveal", "{}"));
        assertHeaders(new SampleClient(port).post("/api/teams/acme/secrets", "x".repeat(700_000)));
    }

    @Test
    void pagesNeedNothingFromElsewhereAndNoInlineScript() {
        for (String path : new String[] {"/", "/reveal", "/teams/acme", "/login"}) {
            assertThat(Visitor.open(port).load(path).response().body())
                    .doesNotContain("http://", "https://", "style=", "onclick", "<style", "javascript:")
                    .doesNotContainPattern("<script(?! src=\"/[a-z]+\\.js\" defer></script>)");
        }
    }

    private static void assertHeaders(Answer answer) {
        assertThat(answer.header("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self';")
                .contains("frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'")
                .doesNotContain("unsafe");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.response().headers().allValues("Cache-Control")).hasSize(1);
    }
}
