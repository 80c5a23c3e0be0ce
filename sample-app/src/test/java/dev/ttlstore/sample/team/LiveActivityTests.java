package dev.ttlstore.sample.team;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.mock.web.MockHttpServletResponse;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.event.WatchOptions;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleTest;
import dev.ttlstore.sample.Visitor;
import dev.ttlstore.sample.web.Now;
import dev.ttlstore.sample.web.Page;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SampleTest
@ExtendWith(OutputCaptureExtension.class)
@Timeout(30)
class LiveActivityTests {

    @LocalServerPort
    private int port;

    @Autowired
    private Store store;

    @Autowired
    private Now now;

    @Autowired
    private LiveActivity live;

    @Autowired
    private Activity activity;

    private SampleClient client = new SampleClient(0);

    @BeforeEach
    void open() {
        client = new SampleClient(port);
    }

    /** The server notices that a client has gone when it writes to it for the second time, and some time after the first. */
    private void untilAllHaveGone() {
        await().until(() -> {
            activity.note("acme", Activity.Kind.READ);
            return live.size() == 0;
        });
    }

    /** An open live page. */
    private final class Page implements AutoCloseable {

        private final HttpResponse<InputStream> response;
        private final BufferedReader lines;

        Page(String query, String lastEventId) {
            this(query, lastEventId, "192.0.2.1");
        }

        Page(String query, String lastEventId, String address) {
            Visitor visitor = new Visitor(port);
            response = visitor.send(
                    visitor.request("/teams/acme/events" + query)
                            .header("Last-Event-ID", lastEventId)
                            .header("X-Forwarded-For", address),
                    BodyHandlers.ofInputStream());
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        /** The fields of the next event that is no comment. */
        String next() throws IOException {
            List<String> event = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty() && event.stream().anyMatch(field -> field.startsWith("data:"))) {
                    return String.join("\n", event);
                }
                if (line.isEmpty()) {
                    event.clear();
                } else {
                    event.add(line);
                }
            }
            return "the end";
        }

        String nextId() throws IOException {
            String event = next();
            return event.substring("id:".length(), event.indexOf('\n'));
        }

        @Override
        public void close() throws IOException {
            response.body().close();
            // The server notices when it next writes.
            client.kept("acme", "hunter2", "PT1H");
            client.kept("acme", "hunter2", "PT1H");
        }
    }

    @Test
    void aTeamSeesWhatHappensAndNeverToWhich() throws Exception {
        try (Page page = new Page("", "")) {
            assertThat(page.response.headers().firstValue("Content-Type").orElse(""))
                    .startsWith("text/event-stream");
            String location = client.kept("acme", "hunter2", "PT1H");
            String created = page.next();
            client.reveal(location);
            String read = page.next();
            client.kept("acme", "hunter2", "PT0.05S");
            page.next();
            String expired = page.next();
            assertThat(created).contains("event:activity", "A secret was created");
            assertThat(read).contains("A secret was read");
            assertThat(expired).contains("A secret expired unread");
            assertThat(created + read + expired)
                    .doesNotContain(location.substring(location.lastIndexOf('/') + 1))
                    .doesNotContain("hunter2");
        }
    }

    @Test
    void whoConnectsAgainIsToldWhatHappenedMeanwhile() throws Exception {
        String seen;
        try (Page page = new Page("", "")) {
            client.kept("acme", "hunter2", "PT1H");
            seen = page.nextId();
        }
        client.reveal(client.kept("acme", "hunter2", "PT1H"));
        try (Page again = new Page("?after=1", seen)) {
            List<String> kinds = List.of(again.next(), again.next(), again.next(), again.next());
            assertThat(kinds).allMatch(event -> !event.contains("event:missed"));
            assertThat(kinds.subList(0, 3)).allMatch(event -> event.contains("created"));
            assertThat(kinds.get(3)).contains("read");
        }
    }

    @Test
    void whoKnowsMoreThanTheStoreAsAfterABackupWasPutBackIsToldSoAndGoesOn() throws Exception {
        activity.note("acme", Activity.Kind.CREATED);
        try (Page page = new Page("", "999999999999999999")) {
            assertThat(page.next()).contains("event:missed");
            activity.note("acme", Activity.Kind.READ);
            assertThat(page.next()).contains("A secret was read");
        }
    }

    @Test
    void whoWasAwayForTooLongIsToldThatSomethingWasMissed() throws Exception {
        activity.note("acme", Activity.Kind.CREATED);
        long seen = activity.after("acme", 0).get(0).version();
        for (int i = 0; i <= Activity.MAX_KEPT; i++) {
            activity.note("acme", Activity.Kind.READ);
        }
        try (Page page = new Page("", Long.toString(seen))) {
            assertThat(page.next()).contains("event:missed");
            assertThat(page.next()).contains("A secret was read");
        }
        assertThat(activity.last("acme")).hasSizeLessThanOrEqualTo(Activity.MAX_KEPT + 2);
    }

    /** The lines of a stream during whose first look at what is kept something happens, and which ends when all is told. */
    private List<String> toldWhile(Runnable something) throws Exception {
        CompletableFuture<LiveStream> made = new CompletableFuture<>();
        AtomicInteger reads = new AtomicInteger();
        Activity busy = new Activity(store, now) {

            @Override
            List<Entry<Happening>> after(String team, long version) {
                List<Entry<Happening>> kept = super.after(team, version);
                if (reads.getAndIncrement() == 0) {
                    something.run();
                    made.join().close();
                }
                return kept;
            }
        };
        MockHttpServletResponse response = new MockHttpServletResponse();
        LiveStream stream = new LiveStream(busy, "acme", 0, JsonMapper.shared(), response);
        made.complete(stream);
        stream.run();
        return response.getContentAsString().lines().toList();
    }

    @Test
    void whoTakesInLessThanHappensIsToldAllThatIsKept() throws Exception {
        int more = WatchOptions.defaults().capacity() + 7; // than the stream's watch holds
        List<String> told = toldWhile(() -> store.transact(tx -> {
            for (int i = 0; i < more; i++) {
                activity.note(tx, "acme", Activity.Kind.READ);
            }
            return tx;
        }));
        assertThat(told)
                .noneMatch(line -> line.contains("missed"))
                .filteredOn(line -> line.startsWith("id:"))
                .hasSize(more)
                .doesNotHaveDuplicates();
    }

    @Test
    void whoTakesWhatIsNotKeptAnyMoreIsToldThatSomethingWasMissed() throws Exception {
        activity.note("acme", Activity.Kind.CREATED);
        List<String> told = toldWhile(() -> {
            for (int i = 0; i < Activity.MAX_KEPT + 50; i++) { // less than the stream's watch holds
                activity.note("acme", Activity.Kind.READ);
            }
        });
        assertThat(told).contains("event:missed");
        assertThat(told.stream().filter(line -> line.startsWith("id:")))
                .hasSize(1 + activity.last("acme").size())
                .doesNotHaveDuplicates();
    }

    @Test
    void toAskForTheHeadersAloneTakesNoPlace() {
        assertThat(client.head("/teams/acme/events").status()).isEqualTo(405);
        assertThat(live.size()).isZero();
    }

    @Test
    void whoLeavesAsMuchIsToldLeavesNothingBehind(CapturedOutput output) throws Exception {
        store.transact(tx -> {
            for (int i = 0; i < Activity.MAX_KEPT; i++) {
                activity.note(tx, "acme", Activity.Kind.READ);
            }
            return tx;
        });
        for (int i = 0; i < 20; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoLinger(true, 0); // so that what is written from now on fails
                socket.getOutputStream()
                        .write("GET /teams/acme/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(socket.getInputStream().readNBytes(400)).isNotEmpty();
            }
        }
        untilAllHaveGone();
        assertThat(output).doesNotContain("non-recycled", "Failed to send", "A request failed");
    }

    @Test
    void whoCameWhenNothingHadHappenedIsToldThatSomethingWasMissed() throws Exception {
        for (int i = 0; i <= Activity.MAX_KEPT; i++) {
            activity.note("acme", Activity.Kind.READ);
        }
        try (Page page = new Page("?after=0", "")) {
            assertThat(page.next()).contains("event:missed");
        }
    }

    @Test
    void soManyPagesAreLiveAndNoMoreAndNotAllForOneClient() throws Exception {
        try (Page one = new Page("", "");
                Page two = new Page("", "");
                Page refusedOne = new Page("", "");
                Page three = new Page("", "", "192.0.2.2")) {
            assertThat(List.of(one, two, three)).allMatch(page -> page.response.statusCode() == 200);
            assertThat(refusedOne.response.statusCode()).isEqualTo(429);
            SampleClient.Answer refused = client.get("/teams/acme/events");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isNotEmpty();
        }
        untilAllHaveGone();
    }

    @Test
    void aTeamInWhichNothingHasHappenedIsToldSo() {
        assertThat(new Visitor(port).load("/teams/acme").response().body()).contains("<p id=\"quiet\" class=\"note\">");
        client.kept("acme", "hunter2", "PT10M");
        assertThat(new Visitor(port).load("/teams/acme").response().body())
                .contains("<p id=\"quiet\" class=\"note\" hidden>");
    }

    @Test
    void thePageShowsTheSameWithoutAScript() {
        client.kept("acme", "hunter2", "PT10M");
        client.kept("acme", "hunter2", "P3D");
        Visitor visitor = new Visitor(port);
        Map.of("hour", "1 in the next hour", "day", "1 in the next 24 hours", "month", "2 in the next 30 days")
                .forEach((range, total) -> assertThat(visitor.load("/teams/acme?range=" + range)
                                .response()
                                .body())
                        .contains("2 of 1000 secrets", total, "<span class=\"what\">A secret was created</span>"));
    }
}
