package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What becomes of answers that fail, or that the store does not keep, without a container. */
@ExtendWith(OutputCaptureExtension.class)
class IdempotencyFilterTests {

    private final Store store = Store.builder().inMemory().maxValueSize(1_000).open();

    @AfterEach
    void close() {
        store.close();
    }

    private static MockHttpServletRequest request() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/payments");
        request.addHeader("Idempotency-Key", "key");
        return request;
    }

    private MockHttpServletResponse post(FilterChain handler) throws ServletException, IOException {
        MockHttpServletResponse response = new MockHttpServletResponse();
        post(IdempotencySettings.defaults().maxAnswerSize(), request(), response, handler);
        return response;
    }

    private void post(
            long maxAnswerSize, MockHttpServletRequest request, MockHttpServletResponse response, FilterChain handler)
            throws ServletException, IOException {
        IdempotencySettings defaults = IdempotencySettings.defaults();
        IdempotencySettings settings = new IdempotencySettings(
                defaults.ttl(),
                defaults.runningTimeout(),
                maxAnswerSize,
                defaults.maxSize(),
                defaults.maxOwnerSize(),
                defaults.maxAnonymousSize(),
                Set.of(),
                List.of(),
                List.of());
        new IdempotencyFilter(store, settings, RequestOwner.byLogin(), any -> null)
                .doFilter(request, response, handler);
    }

    /** As the container does, which makes an error page otherwise. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHandlerThatFailsHasSentWhatItHasFlushed(boolean flushes) {
        MockHttpServletResponse response = new MockHttpServletResponse();
        assertThatThrownBy(() -> post(1_000, request(), response, (sent, answer) -> {
                    answer.getWriter().print("beginning");
                    if (flushes) {
                        answer.flushBuffer();
                    }
                    throw new ServletException("fails");
                }))
                .hasMessage("fails");
        assertThat(new String(response.getContentAsByteArray(), StandardCharsets.UTF_8))
                .isEqualTo(flushes ? "beginning" : "");
    }

    /** Although it is more than what is held back. */
    @Test
    void whatIsDiscardedIsNotSent() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        post(10, request(), response, (sent, answer) -> {
            PrintWriter writer = answer.getWriter();
            writer.print("twenty letters at least");
            answer.resetBuffer();
            writer.print("short");
            answer.reset();
            answer.getOutputStream().print("sent");
        });
        assertThat(response.getContentAsString()).isEqualTo("sent");
    }

    @Test
    void anUnknownEncodingIsRefusedWhenItIsUsed() {
        MockHttpServletRequest request = request();
        request.setCharacterEncoding("nonsense");
        assertThatThrownBy(() -> post(1_000, request, new MockHttpServletResponse(), (sent, answer) -> sent.getReader()
                        .readLine()))
                .isInstanceOf(UnsupportedEncodingException.class)
                .hasMessage("nonsense");
        assertThatThrownBy(() -> post((sent, answer) -> {
                    answer.setCharacterEncoding("nonsense");
                    answer.getWriter();
                }))
                .isInstanceOf(UnsupportedEncodingException.class)
                .hasMessage("nonsense");
    }

    /** As one that another version has stored. */
    @Test
    void anAnswerThatCannotBeReadIsNotRepeated(CapturedOutput output) throws Exception {
        post((sent, answer) -> answer.getWriter().print("paid"));
        TextGroup raw = store.scope(IdempotencyFilter.ANONYMOUS_SCOPE).group(IdempotencyFilter.GROUP);
        raw.put(raw.keys().iterator().next(), "nonsense");
        MockHttpServletResponse second =
                post((sent, answer) -> answer.getWriter().print("paid again"));
        assertThat(second.getStatus()).isEqualTo(409);
        assertThat(second.getContentAsString()).doesNotContain("paid");
        assertThat(output).contains("cannot be repeated");
    }

    @Test
    void anAnswerThatIsTooLargeForTheStoreIsSentButNotKept(CapturedOutput output) throws Exception {
        FilterChain handler = (sent, answer) -> answer.getWriter().print("x".repeat(2_000));
        assertThat(post(handler).getContentAsString()).hasSize(2_000);
        MockHttpServletResponse second = post(handler);
        assertThat(second.getStatus()).isEqualTo(409);
        assertThat(second.getContentAsString()).contains("could not be kept");
        assertThat(output).contains("cannot be repeated");
    }

    /** It is passed on to the container as it is. */
    @Test
    void anExceptionOfTheContainersResponseReachesTheApplication() throws Exception {
        post((sent, answer) -> {
            HttpServletResponse below = (HttpServletResponse) ((ServletResponseWrapper) answer).getResponse();
            below.flushBuffer();
            assertThatThrownBy(below::reset).isInstanceOf(IllegalStateException.class);
        });
    }
}
