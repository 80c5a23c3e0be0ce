package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import dev.ttlstore.Store;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Requests that fail while the store fails, too, so that their keys cannot be freed. */
@ExtendWith(OutputCaptureExtension.class)
class ReleaseFailureTests {

    private static final String LOGGED = "could not be freed";

    private final Store store = Store.builder().inMemory().open();
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @AfterEach
    void close() {
        store.close();
    }

    /** Sends a request whose handler closes the store before anything else. */
    private void post(FilterChain handler) throws ServletException, IOException {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/payments");
        request.addHeader("Idempotency-Key", "key");
        IdempotencySettings defaults = IdempotencySettings.defaults();
        IdempotencySettings settings = new IdempotencySettings(
                Duration.ofHours(1),
                Duration.ofMinutes(2),
                defaults.maxAnswerSize(),
                defaults.maxSize(),
                defaults.maxOwnerSize(),
                defaults.maxAnonymousSize(),
                Set.of(),
                List.of(),
                List.of());
        new IdempotencyFilter(store, settings, RequestOwner.byLogin(), any -> null)
                .doFilter(request, response, (sent, answered) -> {
                    store.close();
                    handler.doFilter(sent, answered);
                });
    }

    @Test
    void theExceptionOfTheApplicationIsThrown(CapturedOutput output) {
        IOException failure = new IOException("The bank does not answer");
        assertThatThrownBy(() -> post((request, answer) -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(output).contains(LOGGED).contains("PT2M");
    }

    @Test
    void theAnswerOfTheApplicationIsSent(CapturedOutput output) throws Exception {
        post((request, answer) -> {
            ((HttpServletResponse) answer).setStatus(503);
            answer.getOutputStream().print("The bank does not answer");
        });
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getContentAsString()).isEqualTo("The bank does not answer");
        assertThat(output).contains(LOGGED);
    }

    @Test
    void aRefusalIsSentAsAnError(CapturedOutput output) throws Exception {
        post((request, answer) -> ((HttpServletResponse) answer).sendError(429, "Slowly"));
        assertThat(response.getStatus()).isEqualTo(429);
        assertThat(response.getErrorMessage()).isEqualTo("Slowly");
        assertThat(output).contains(LOGGED);
    }
}
