package dev.ttlstore.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.ttlstore.sample.Ledger.Secret;
import dev.ttlstore.sample.SampleClient.Answer;
import dev.ttlstore.sample.nodes.Database;
import dev.ttlstore.sample.nodes.ReverseProxy;
import dev.ttlstore.spring.encryption.StoreKeyset;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Callers create, reveal and delete secrets through the proxy while a node is killed and the database crashes. The load
 * is longer with {@code -Drequests=…}, the number of requests before, between and after.
 */
@Tag("postgresql")
@Tag("nodes")
@Timeout(300)
@Tag("slow")
class FailoverTests {

    private static final String TEAM = "load";
    private static final int QUOTA = 100;
    private static final int CALLERS = 12;
    private static final int REQUESTS = Integer.getInteger("requests", 300);

    private final Ledger ledger = new Ledger();

    /** Secrets that two callers try to reveal: the one that has created it, and any other. */
    private final Queue<Secret> raced = new ConcurrentLinkedQueue<>();

    private final List<SampleProcess> nodes = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    private volatile boolean done;

    @TempDir
    private Path folder;

    private Database database;
    private ReverseProxy proxy;

    @BeforeEach
    void start() throws Exception {
        database = Database.start(folder.resolve("database"), 0);
        Path keyset = folder.resolve("keyset.json");
        StoreKeyset.create(keyset);
        for (int i = 0; i < ThreeNodes.COUNT; i++) {
            nodes.add(SampleProcess.startNode(
                    folder,
                    List.of(
                            "--spring.datasource.url=" + database.url(),
                            "--spring.datasource.username=" + Database.USER,
                            "--store.encryption.keyset=" + keyset,
                            "--store.scopes." + TEAM + ".quota.max-keys=" + QUOTA,
                            "--server.forward-headers-strategy=native",
                            "--secrets.reveal-limit=" + Integer.MAX_VALUE))); // all callers have one address
        }
        proxy = ReverseProxy.start(
                0, nodes.stream().map(SampleProcess::awaitPort).toList());
    }

    @AfterEach
    void stop() {
        done = true;
        threads.shutdownNow();
        proxy.close();
        nodes.forEach(SampleProcess::close);
        database.close();
    }

    @Test
    void aKilledNodeAndACrashedDatabaseCostTheRequestsInFlightAndNothingElse() throws Exception {
        List<Future<?>> callers = IntStream.range(0, CALLERS)
                .<Future<?>>mapToObj(number -> threads.submit(new Caller(number)::work))
                .toList();
        awaitMoreRequests(callers);
        ledger.during("killed node", nodes.get(1)::kill);
        awaitMoreRequests(callers);
        ledger.during("crashed database", database::restart);
        awaitMoreRequests(callers);
        done = true;
        for (Future<?> caller : callers) {
            caller.get();
        }
        List<String> inFlight = ledger.failuresInFlight();
        assertUsageIsExact();
        assertNothingIsLostOrRevealedTwice();
        assertTheQuotaIsExact();
        System.out.printf(
                Locale.ROOT,
                "%,d answers, %,d of them beyond the quota; %,d secrets; requests in flight that failed: %s%n",
                ledger.answered.get(),
                ledger.refused.get(),
                ledger.secrets.size(),
                String.join(", ", inFlight));
    }

    private void awaitMoreRequests(List<Future<?>> callers) {
        long enough = ledger.answered.get() + REQUESTS;
        await().atMost(Duration.ofSeconds(90)).until(() -> {
            // One that has failed says why.
            for (Future<?> caller : callers) {
                if (caller.isDone()) {
                    caller.get();
                }
            }
            return ledger.answered.get() >= enough;
        });
    }

    private void assertNothingIsLostOrRevealedTwice() {
        Visitor last = Visitor.open(proxy.port());
        for (Secret secret : ledger.secrets) {
            Answer answer = last.post("/page/reveal", Map.of("team", TEAM, "key", secret.key()));
            if (secret.isGone()) {
                assertThat(answer.status()).as("%s is gone", secret).isEqualTo(404);
            } else if (!secret.mayBeGone()) {
                assertThat(answer.status()).as("%s is there", secret).isEqualTo(200);
            }
            if (answer.status() == 200) {
                assertThat(answer.body().get("value").asString()).isEqualTo(secret.value());
            }
            assertThat(secret.revealed()).as("%s", secret).hasValueLessThan(2);
        }
    }

    /** What is left was created by requests whose answers were lost. */
    private void assertTheQuotaIsExact() {
        long left = assertUsageIsExact();
        assertThat(left).isLessThanOrEqualTo(ledger.failedCreations());
        SampleClient client = new SampleClient(proxy.port());
        for (long i = left; i < QUOTA; i++) {
            assertThat(client.keep(TEAM, "hunter2", "PT1H").status()).isEqualTo(201);
        }
        assertThat(client.keep(TEAM, "hunter2", "PT1H").status()).isEqualTo(429);
        assertThat(assertUsageIsExact()).isEqualTo(QUOTA);
    }

    /** What is counted as used is what is there. Returns it. */
    private long assertUsageIsExact() {
        JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(database.url(), Database.USER, ""));
        long rows = requireNonNull(jdbc.queryForObject(
                "SELECT count(*) FROM ttl_store.entry WHERE grp = ?", Long.class, TEAM + ":" + "secrets"));
        Long used = jdbc.queryForObject(
                "SELECT keys FROM ttl_store.usage WHERE namespace = ? AND grp = ''", Long.class, TEAM);
        assertThat(used).isEqualTo(rows);
        return rows;
    }

    /** A sender and receiver, with a browser's cookies. */
    private final class Caller {

        private final int number;
        private final Deque<Secret> waiting = new ArrayDeque<>();
        private final Visitor visitor = Visitor.open(proxy.port());
        private int created;

        Caller(int number) {
            this.number = number;
        }

        private void work() {
            while (!done) {
                Secret secret = create();
                if (secret == null) {
                    makeRoom();
                } else if (created % 3 == 0) {
                    waiting.add(secret);
                } else if (created % 3 == 1) {
                    delete(secret);
                } else {
                    raced.add(secret);
                    reveal(secret);
                    Secret others = raced.poll();
                    if (others != null) {
                        reveal(others);
                    }
                }
            }
        }

        private void makeRoom() {
            Secret oldest = waiting.poll();
            if (oldest != null) {
                reveal(oldest);
            }
        }

        private @Nullable Secret create() {
            String value = "value-" + number + "-" + ++created;
            Answer answer = post("secrets", Map.of("team", TEAM, "value", value, "ttl", "PT1H"), 201, 429);
            if (answer == null) {
                return null;
            }
            if (answer.status() == 429) {
                ledger.refused.incrementAndGet();
                return null;
            }
            Secret secret = new Secret(
                    answer.body().get("key").asString(), answer.body().get("id").asString(), value);
            ledger.secrets.add(secret);
            return secret;
        }

        private void delete(Secret secret) {
            Answer answer = post("delete", Map.of("team", TEAM, "id", secret.id()), 204);
            (answer == null ? secret.unknown() : secret.deleted()).incrementAndGet();
        }

        private void reveal(Secret secret) {
            Answer answer = post("reveal", Map.of("team", TEAM, "key", secret.key()), 200, 404);
            if (answer == null) {
                secret.unknown().incrementAndGet();
            } else if (answer.status() == 200) {
                assertThat(answer.body().get("value").asString()).isEqualTo(secret.value());
                secret.revealed().incrementAndGet();
            }
        }

        /** Returns the answer, or null if there was none, or one that says that it is not known what happened. */
        private @Nullable Answer post(String action, Map<String, String> body, Integer... expected) {
            long begin = System.nanoTime();
            Answer answer = visitor.post("/page/" + action, body);
            if (answer.status() == 503) {
                ledger.failed(action, answer.response().body(), begin);
                return null;
            }
            assertThat(answer.status()).as(action).isIn((Object[]) expected);
            ledger.answered.incrementAndGet();
            return answer;
        }
    }
}
