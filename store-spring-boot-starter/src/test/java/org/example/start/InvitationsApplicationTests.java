package org.example.start;

import java.io.UnsupportedEncodingException;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import dev.ttlstore.spring.test.AutoConfigureTestStore;
import dev.ttlstore.spring.test.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureTestStore
@ExtendWith(OutputCaptureExtension.class)
class InvitationsApplicationTests {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private TestClock clock;

    private String invite() throws UnsupportedEncodingException {
        return mvc.post()
                .uri("/invitations")
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"email\": \"ann@example.org\"}")
                .exchange()
                .getResponse()
                .getContentAsString();
    }

    @Test
    void anInvitationIsAcceptedOnce() throws Exception {
        String key = invite();
        assertThat(mvc.post().uri("/invitations/{key}/accept", key)).hasStatusOk();
        assertThat(mvc.post().uri("/invitations/{key}/accept", key)).hasStatus(HttpStatus.NOT_FOUND);
    }

    @Test
    void anInvitationExpires(CapturedOutput output) throws Exception {
        String key = invite();
        clock.advance(Duration.ofDays(10));
        assertThat(mvc.post().uri("/invitations/{key}/accept", key)).hasStatus(HttpStatus.NOT_FOUND);
        await().until(() -> output.getOut().contains("ann@example.org has not answered"));
    }
}
