package dev.ttlstore.sample.secrets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/** No form puts a value into an address, with or without the script of its page. */
@SampleTest
@ExtendWith(OutputCaptureExtension.class)
class FormTests {

    private static final Pattern FORM = Pattern.compile("<form[^>]*>");

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
    void aBrowserSendsNoneOfTheFieldsOfASecretByItself() {
        String page = Visitor.open(port).load("/").response().body();
        assertThat(page).contains("id=\"value\"", "id=\"team\"", "id=\"ttl\"");
        assertThat(Pattern.compile(" name=\"(?!viewport|color-scheme|robots|csrf|_csrf)")
                        .matcher(page)
                        .find())
                .isFalse();
    }

    @Test
    void aFormThatWasSentWithoutTheScriptIsToldSoAndStoresLogsAndEchoesNothing(CapturedOutput output) {
        Visitor visitor = Visitor.open(port);
        Answer answer = visitor.submit("/", Map.of("value", "MARKER", "ttl", "PT1H", "team", "acme"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).startsWith("text/html");
        assertThat(answer.response().body())
                .contains("This page needs its script", "nothing was stored")
                .doesNotContain("MARKER");
        assertThat(answer.header("Location")).isEmpty();
        assertThat(store.count()).isZero();
        assertThat(output).doesNotContain("MARKER");
    }

    @Test
    void suchAFormNeedsTheTokenOfItsPage() {
        Answer answer = new Visitor(port).submit("/", Map.of("value", "MARKER"));
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.response().body()).doesNotContain("MARKER");
    }
}
