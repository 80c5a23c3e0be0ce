package dev.ttlstore.sample.secrets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/** No form puts a value into an address, with or without the script of its page. */
@SampleTest
@ExtendWith(OutputCaptureExtension.class)
class FormTests {

    private static final Pattern FORM = Pattern.compile("<form[^>]*>");
    private static final Pattern LINK = Pattern.compile("http://localhost:\\d+/reveal#acme/[\\w-]{24}");

    @LocalServerPort
    private int port;

    @Autowired
    private Store store;

    @Test
    void everyFormOfEveryPagePosts() throws IOException {
        List<String> forms;
        try (Stream<Path> templates = Files.walk(Path.of("src/main/resources/templates"))) {
            forms = templates
                    .filter(Files::isRegularFile)
                    .flatMap(FormTests::forms)
                    .toList();
        }
        assertThat(forms).hasSizeGreaterThan(5).allSatisfy(form -> assertThat(form)
                .contains(" method=\"post\"", " action=\"/"));
    }

    private static Stream<String> forms(Path template) {
        try {
            return FORM.matcher(Files.readString(template)).results().map(MatchResult::group);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theFormsOfAPageWorkWithoutItsScript(CapturedOutput output) {
        Visitor visitor = Visitor.open(port);
        Answer created =
                visitor.submit("/page/secrets", Map.of("value", "MARKER \u2713\r\n<b>", "ttl", "PT1H", "team", "acme"));
        assertThat(created.status()).isEqualTo(200);
        assertThat(created.header("Content-Type")).startsWith("text/html");
        assertThat(created.header("Cache-Control")).isEqualTo("no-store");
        assertThat(created.header("Set-Cookie")).startsWith("sender=");
        Matcher link = LINK.matcher(created.response().body());
        assertThat(link.find()).isTrue();
        Answer revealed = visitor.submit("/page/reveal", Map.of("link", link.group()));
        assertThat(revealed.status()).isEqualTo(200);
        assertThat(revealed.header("Cache-Control")).isEqualTo("no-store");
        assertThat(revealed.response().body()).contains("MARKER \u2713\n&lt;b&gt;</pre>");
        Answer again = visitor.submit("/page/reveal", Map.of("link", link.group()));
        assertThat(again.status()).isEqualTo(404);
        assertThat(again.response().body()).contains("no longer available").doesNotContain("MARKER");
        assertThat(output).doesNotContain("MARKER");
    }

    @Test
    void noLengthIsOfferedThatTheSenderMayNotChoose() {
        Visitor visitor = Visitor.open(port);
        assertThat(visitor.load("/").response().body()).contains("\"P7D\"").doesNotContain("\"P30D\"");
        visitor.logIn(SampleTest.PASSWORD);
        assertThat(visitor.load("/").response().body()).contains("\"P30D\"");
    }

    @Test
    void aLinkMayBePastedWithWhatStandsAroundIt() {
        Visitor visitor = Visitor.open(port);
        for (String pasted : new String[] {" https://example.org/reveal#%s. ", "%s", "/reveal#%s)", "reveal#%s\r\n"}) {
            String location = new SampleClient(port).kept("acme", "hunter2", "PT1H");
            String key = location.substring(location.lastIndexOf('/') + 1);
            assertThat(visitor.submit("/page/reveal", Map.of("link", pasted.formatted("acme/" + key)))
                            .response()
                            .body())
                    .contains("hunter2");
        }
        assertThat(visitor.submit("/page/reveal", Map.of("link", "x".repeat(100_000)))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aFormWithAMistakeComesBackWithWhatWasTyped() {
        Answer answer = Visitor.open(port)
                .submit("/page/secrets", Map.of("value", "</textarea>typed", "ttl", "P1D", "team", "a b"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.response().body())
                .contains("The team must be 1 to 64 letters", "&lt;/textarea&gt;typed")
                .contains("<option value=\"P1D\" selected>");
        assertThat(store.count()).isZero();
    }

    @Test
    void aFormNeedsTheTokenOfItsPage() {
        String link = new SampleClient(port).kept("acme", "hunter2", "PT1H").replaceFirst(".*/", "acme/");
        Map<String, String> fields = Map.of("value", "<MARKER>", "team", "acme", "ttl", "PT1H", "link", link);
        for (String path : new String[] {"/page/secrets", "/page/reveal", "/page/delete"}) {
            Answer answer = new Visitor(port).submit(path, fields);
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.header("Content-Type")).startsWith("text/html");
            assertThat(answer.response().body()).doesNotContain("<MARKER>", "hunter2");
        }
        assertThat(new SampleClient(port)
                        .get("/api/teams/acme/usage")
                        .body()
                        .get("secrets")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void theAddressThatRendersAFormAgainDoesNothingElse() {
        Visitor visitor = Visitor.open(port);
        Map<String, String> fields = Map.of("value", "hunter2", "team", "acme", "ttl", "PT1H");
        assertThat(visitor.submit("/page/secrets/again", fields).response().body())
                .contains("hunter2</textarea>");
        assertThat(store.count()).isZero();
        assertThat(new Visitor(port).submit("/page/secrets/again", fields).status())
                .isEqualTo(403);
    }

    @Test
    void aSecretIsDeletedByTheFormBesideItsLinkAndOnlyByItsSender() {
        Visitor visitor = Visitor.open(port);
        String created = visitor.submit("/page/secrets", Map.of("value", "hunter2", "team", "acme", "ttl", "PT1H"))
                .response()
                .body();
        Matcher id = Pattern.compile("name=\"id\" value=\"([0-9a-f]{32})\"").matcher(created);
        assertThat(id.find()).isTrue();
        Map<String, String> fields = Map.of("team", "acme", "id", id.group(1));
        assertThat(Visitor.open(port).submit("/page/delete", fields).status()).isEqualTo(404);
        assertThat(visitor.submit("/page/delete", fields).response().body()).contains("Secret deleted");
        assertThat(store.scope("acme").count()).isZero();
        assertThat(visitor.submit("/page/delete", fields).status()).isEqualTo(404);
    }
}
