package dev.ttlstore.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreJacksonAutoConfiguration;
import dev.ttlstore.spring.event.StoreEventAutoConfiguration;
import dev.ttlstore.spring.expiry.StoreExpiryAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The snippets of the READMEs, as they stand there; those that are not here are in tests of their own. */
@ExtendWith(OutputCaptureExtension.class)
class ReadmeTests {

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withConfiguration(AutoConfigurations.of(
                        StoreAutoConfiguration.class,
                        StoreEventAutoConfiguration.class,
                        StoreExpiryAutoConfiguration.class,
                        StoreJacksonAutoConfiguration.class))
                .withPropertyValues("store.path=" + folder.resolve("app.db"));
    }

    record Invite(String mail) {}

    @Test
    void theFiveLinesWork() {
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            Group<Invite> invites = store.group("invites", Invite.class);
            String key = invites.add(new Invite("ann@example.org"), Duration.ofDays(10));
            Optional<Invite> waiting = invites.get(key);
            Optional<Invite> used = invites.take(key);
            boolean again = invites.take(key).isPresent();
            assertThat(waiting).contains(new Invite("ann@example.org"));
            assertThat(used).isEqualTo(waiting);
            assertThat(again).isFalse();
        });
    }

    @Test
    void aRateLimiterTakesOneLine() {
        String client = "127.0.0.1";
        runner().run(context -> {
            Store store = context.getBean(Store.class);
            boolean allowed = store.counters("calls").increment(client, 1, Duration.ofMinutes(1)) <= 100;
            assertThat(allowed).isTrue();
        });
    }

    static class Expiries {

        private static final Logger log = LoggerFactory.getLogger(Expiries.class);

        private final AtomicInteger told = new AtomicInteger();

        @EventListener
        void onExpired(EntryExpired event) {
            log.info("An entry of {} expired at {}", event.group(), event.expiresAt());
        }

        @EventListener
        void count(EntryExpired event) {
            told.incrementAndGet();
        }
    }

    @Test
    void theListenerIsTold() {
        runner().withBean(Expiries.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("config").put("banner", "hello", Duration.ofMillis(1));
            await().untilAsserted(() ->
                    assertThat(context.getBean(Expiries.class).told).hasValue(1));
        });
    }

    @Test
    void theReminderIsCalled(CapturedOutput output) {
        runner().withBean(Reminders.class).run(context -> {
            Group<Reminders.Invite> invites = context.getBean(Store.class).group("invites", Reminders.Invite.class);
            invites.add(new Reminders.Invite("ann@example.org"), Duration.ofMillis(1));
            await().until(() -> output.getOut().contains("ann@example.org has let an invitation expire"));
        });
    }

    @Test
    void thePlainStoreWorks() {
        try (Store store = Store.open(folder.resolve("app.db"))) {
            TextGroup config = store.group("config");
            config.put("theme", "dark");
            config.put("banner", "hello", Duration.ofMinutes(10));
            Optional<String> banner = config.get("banner");
            assertThat(banner).contains("hello");
        }
    }

    @ParameterizedTest
    @CsvSource({"../README.md, 2", "README.md, 32", "docs/webflux.md, 3"})
    void everySnippetOfTheReadmesIsInATest(Path readme, int count) throws IOException {
        String tests = testSources();
        List<String> snippets = new ArrayList<>();
        Matcher matcher = JAVA.matcher(Files.readString(readme));
        while (matcher.find()) {
            // Where the file is differs: the folder of a test is a temporary one.
            snippets.add(flat(matcher.group(1)).replace("Path.of(\"app.db\")", "folder.resolve(\"app.db\")"));
        }
        assertThat(snippets).hasSize(count).allSatisfy(snippet -> assertThat(tests)
                .contains(withoutClosingBraces(snippet)));
    }

    private static String testSources() throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            for (Path file :
                    (Iterable<Path>) files.filter(path -> path.toString().endsWith(".java"))::iterator) {
                sources.append(flat(Files.readString(file))).append('\n');
            }
        }
        return sources.toString();
    }

    /** A test may go on where the snippet ends. */
    private static String withoutClosingBraces(String snippet) {
        return snippet.replaceAll("[\\s}]+$", "");
    }

    private static String flat(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
