package dev.ttlstore.sample.operator;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.ttlstore.Store;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the operator is shown, and everyone else is not. */
@SampleTest
class AdminTests {

    @LocalServerPort
    private int port;

    @Autowired
    private Store store;

    private Visitor visitor = new Visitor(0);

    @BeforeEach
    void open() {
        visitor = new Visitor(port);
    }

    private String page(String path) {
        return visitor.load(path).response().body();
    }

    @Test
    void thePageTakesALogin() {
        Answer answer = visitor.load("/admin");
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("Location")).endsWith("/login?next=%2Fadmin");
        assertThat(asOperator("/admin").status()).isEqualTo(302);
    }

    @Test
    void groupsAreShownWithTheirCountsAPageAtATime() {
        for (int i = 0; i < 30; i++) {
            store.scope("paged-%02d".formatted(i)).group("secrets").add("hunter2", Duration.ofMinutes(10));
        }
        visitor.logIn(SampleTest.PASSWORD);
        assertThat(page("/admin?after=paged"))
                .containsPattern("<td>paged-00:secrets</td><td class=\"number\">1</td><td class=\"number\">1</td>")
                .contains("paged-24:secrets", "id=\"more-groups\"")
                .doesNotContain("paged-25:secrets", "hunter2");
        assertThat(page("/admin?after=paged-24:secrets")).contains("paged-25:secrets");
    }

    @Test
    void aDeadLetterShowsTheBeginningOfItsKeyAndNeitherValueNorMessage() {
        try (Subscription failing = failing("failing", "mail")) {
            String key = store.group("mail").add("hunter2", Duration.ofMillis(1));
            await().until(() -> store.deadLetters("failing").count() == 1);
            visitor.logIn(SampleTest.PASSWORD);
            assertThat(page("/admin"))
                    .contains(
                            "<code class=\"part\">" + key.substring(0, 4) + "…</code>",
                            "<code>IllegalStateException</code>")
                    .doesNotContain(key, "hunter2", "quotes");
            assertThat(failing).isNotNull();
        } finally {
            store.removeExpirySubscriber("failing");
        }
    }

    @Test
    void aDeadLetterIsDropped() {
        try (Subscription failing = failing("dropping", "post")) {
            store.group("post").add("hunter2", Duration.ofMillis(1));
            await().until(() -> store.deadLetters("dropping").count() == 1);
            long id = store.deadLetters("dropping").stream()
                    .findFirst()
                    .orElseThrow()
                    .id();
            visitor.logIn(SampleTest.PASSWORD);
            visitor.load("/admin");
            Map<String, String> form = Map.of("subscriber", "dropping", "id", Long.toString(id));
            assertThat(visitor.submit("/admin/dead-letters/drop", form).status())
                    .isEqualTo(302);
            assertThat(page("/admin")).contains("Dropped.");
            assertThat(store.deadLetters("dropping").count()).isZero();
            visitor.submit("/admin/dead-letters/drop", form);
            assertThat(page("/admin")).contains("It is no longer in the list.");
            assertThat(failing).isNotNull();
        } finally {
            store.removeExpirySubscriber("dropping");
        }
    }

    @Test
    void nothingIsDoneWithoutTheTokenOfThePage() {
        visitor.logIn(SampleTest.PASSWORD);
        Answer without = visitor.answer(visitor.request("/admin/purge").POST(BodyPublishers.noBody()));
        assertThat(without.status()).isEqualTo(403);
        visitor.load("/admin");
        assertThat(visitor.submit("/admin/purge", Map.of()).status()).isEqualTo(302);
        assertThat(page("/admin")).contains("Expired entries removed: ");
    }

    @Test
    void keysAreRotated() {
        visitor.logIn(SampleTest.PASSWORD);
        visitor.load("/admin");
        assertThat(visitor.submit("/admin/rotate-keys", Map.of()).status()).isEqualTo(302);
        assertThat(page("/admin")).contains("A key was added");
    }

    @Test
    void whatThePageShowsIsAMetricAsWell() {
        assertThat(asOperator("/actuator/prometheus").response().body())
                .contains("store_gets_total{name=\"ttlStore\",result=\"hit\"}", "store_purge_lag_seconds");
    }

    /** As monitoring asks. */
    private Answer asOperator(String path) {
        return new SampleClient(port).get(path, SampleTest.ADMIN, SampleTest.PASSWORD);
    }

    private Subscription failing(String subscriber, String group) {
        return store.onExpired(subscriber, group, entry -> {
            throw new IllegalStateException("It quotes " + entry.value());
        });
    }
}
