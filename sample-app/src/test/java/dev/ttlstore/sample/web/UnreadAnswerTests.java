package dev.ttlstore.sample.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.sample.SampleProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that do not read their answers occupy the threads of the server: until the connection timeout, and not for
 * longer. With the default of ten seconds, 400 such clients delayed the answer to another by 8.4 s, on two cores.
 */
@Timeout(180)
@Tag("slow")
class UnreadAnswerTests {

    private static final int CLIENTS = 400;

    /** As many as Tomcat answers on a connection. */
    private static final int REQUESTS = 100;

    /** Far more than the timeout, for a busy machine; without the timeout, the clients would wait for as long as this test. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    @Test
    void theOthersAreAnsweredAfterTheTimeout() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (SampleProcess sample =
                SampleProcess.startAheadOfTime(folder.resolve("store.db"), "--server.tomcat.connection-timeout=2s")) {
            int port = sample.awaitPort();
            for (int i = 0; i < CLIENTS; i++) {
                sockets.add(ask(port));
            }
            long asked = System.nanoTime();
            assertThat(sample.client().get("/api/teams/acme/usage").status()).isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(PATIENCE);
            assertThat(sample.output()).doesNotContain("ERROR");
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static Socket ask(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream()
                .write("GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .repeat(REQUESTS)
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
