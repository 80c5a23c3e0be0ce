package org.example.start;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import dev.ttlstore.spring.documents.PageCommands;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands of the page "Getting started" do what it says. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"store.session.enabled=true", "server.address=localhost"})
class CommandsOfThePageTests {

    @LocalServerPort
    private int port;

    @TempDir
    private Path folder;

    @Test
    void theSessionKnowsWhoHasAccepted() throws Exception {
        assertThat(PageCommands.run(Path.of("docs", "getting-started.md"), "" + port, folder))
                .isEqualTo("{\"email\":\"ann@example.org\"}ann@example.org");
    }
}
