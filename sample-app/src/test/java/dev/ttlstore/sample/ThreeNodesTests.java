package dev.ttlstore.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient.Answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Whatever node answers, what people and programs get is the same. */
@SampleTest
@OnThreeNodes
@Timeout(60)
class ThreeNodesTests {

    /** More than the nodes, so that the proxy asks each of them. */
    private static final int ENOUGH = 2 * ThreeNodes.COUNT;

    @Autowired
    private ApplicationContext test;

    @Autowired
    private Store store;

    private Nodes nodes = new Nodes(List.of());

    @BeforeEach
    void find() {
        nodes = Nodes.of(test);
    }

    private SampleClient node(int number) {
        return new SampleClient(nodes.port(number % ThreeNodes.COUNT));
    }

    private SampleClient proxy() {
        return new SampleClient(nodes.port());
    }

    @Test
    void ofTwoHundredRevealsOnAllNodesOneGetsTheSecret() throws Exception {
        int callers = 200;
        String location = proxy().kept("acme", "hunter2", "PT10M");
        CyclicBarrier together = new CyclicBarrier(callers);
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                SampleClient client = node(i);
                String address = "192.0.2." + i; // each may reveal a few only
                answers.add(threads.submit(() -> {
                    together.await();
                    return client.post(location + "/reveal", "", "X-Forwarded-For", address);
                }));
            }
            List<String> revealed = new ArrayList<>();
            for (Future<Answer> future : answers) {
                Answer answer = future.get();
                assertThat(answer.status()).isIn(200, 404);
                if (answer.status() == 200) {
                    revealed.add(answer.body().get("value").asString());
                }
            }
            assertThat(revealed).containsExactly("hunter2");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aLoginHoldsOnEveryNodeUntilTheLogout() {
        Visitor operator = new Visitor(nodes.port());
        operator.logIn(SampleTest.PASSWORD);
        for (int i = 0; i < ENOUGH; i++) {
            assertThat(operator.load("/admin").status()).isEqualTo(200);
        }
        assertThat(operator.submit("/admin/purge", Map.of()).status()).isEqualTo(302);
        // Each node shows what the others have done.
        assertThat(operator.load("/admin").response().body()).contains("Expired entries removed: ");
        operator.submit("/logout", Map.of());
        for (int i = 0; i < ENOUGH; i++) {
            assertThat(operator.load("/admin").status()).isEqualTo(302);
        }
    }

    @Test
    void aLoginIsStoredEncryptedAndNotUnderItsCookie() {
        Visitor operator = new Visitor(nodes.port());
        operator.logIn(SampleTest.PASSWORD);
        String cookie = operator.cookie("SESSION").getValue();
        assertThat(store.group("session").keys().toList())
                .singleElement()
                .asString()
                .isNotEqualTo(cookie)
                .hasSize(43);
        assertThatNoNodeTakes(cookie);
    }

    private void assertThatNoNodeTakes(String cookie) {
        String key = store.group("session").keys().findFirst().orElseThrow();
        for (String forged : List.of(key, cookie + "x")) {
            Visitor forger = new Visitor(nodes.port());
            assertThat(forger.answer(forger.request("/admin").header("Cookie", "SESSION=" + forged))
                            .status())
                    .isEqualTo(302);
        }
    }

    @Test
    void failedLoginsOnAllNodesCountTogether() {
        List<Integer> statuses = IntStream.range(0, ENOUGH)
                .mapToObj(i -> node(i).get("/actuator/metrics", SampleTest.ADMIN, "wrong", "192.0.2.1")
                        .status())
                .toList();
        assertThat(statuses).containsExactly(401, 401, 401, 401, 401, 429);
    }

    @Test
    void theQuotaOfATeamIsOneOnAllNodes() {
        List<Integer> statuses = IntStream.range(0, ENOUGH)
                .mapToObj(i ->
                        node(i).keep(SampleTest.SMALL_TEAM, "hunter2", "PT10M").status())
                .toList();
        assertThat(statuses).containsExactly(201, 201, 201, 201, 201, 429);
    }

    @Test
    void anExpiryIsToldOnceByWhateverNodeHandlesIt() {
        for (int i = 0; i < ENOUGH; i++) {
            node(i).kept("acme", "hunter2", "PT0.5S");
        }
        for (int i = 0; i < ThreeNodes.COUNT; i++) {
            SampleClient node = node(i);
            await().untilAsserted(() ->
                    assertThat(node.get("/api/teams/acme/activity").body()).hasSize(ENOUGH));
        }
        assertThat(proxy().get("/api/teams/acme/usage").body().get("secrets").asInt())
                .isZero();
    }

    @Test
    void noNodeRotatesTheKeysOfTheOthers() {
        Visitor operator = new Visitor(nodes.port());
        operator.logIn(SampleTest.PASSWORD);
        assertThat(operator.load("/admin").response().body()).doesNotContain("rotate-keys");
        operator.submit("/admin/rotate-keys", Map.of());
        assertThat(operator.load("/admin").response().body()).contains("every node needs the same keys");
    }

    @Test
    void theProxyTellsTheNodesItsOwnAddressAndTheClients() {
        Answer toLogin = new Visitor(nodes.port()).load("/admin");
        assertThat(toLogin.header("Location"))
                .isIn("/login?next=%2Fadmin", "http://localhost:" + nodes.port() + "/login?next=%2Fadmin");
        // A client cannot pretend to be another: the proxy replaces what it says.
        List<Integer> statuses = IntStream.range(0, ENOUGH)
                .mapToObj(i -> proxy().get("/actuator/metrics", SampleTest.ADMIN, "wrong", "192.0.2." + i)
                        .status())
                .toList();
        assertThat(statuses).endsWith(429);
    }

    @Test
    void healthIsUpOnEveryNode() {
        for (int i = 0; i < ThreeNodes.COUNT; i++) {
            Answer health = node(i).get("/actuator/health", SampleTest.ADMIN, SampleTest.PASSWORD);
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.body().at("/components/store/details/engine").asString())
                    .containsIgnoringCase("postgresql");
        }
    }
}
