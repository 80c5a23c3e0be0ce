package dev.ttlstore.sample.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import org.apache.catalina.connector.ClientAbortException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.ModelAndView;

import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;

/** What no HTTP client sends, and is refused before it comes to a handler, or to a filter. */
@SampleTest
@ExtendWith(OutputCaptureExtension.class)
class RefusalTests {

    private static final int TIMEOUT_MILLIS = 10_000;

    @LocalServerPort
    private int port;

    @Autowired
    private Problems problems;

    /** Anyone can go away at will, and fill a log by it. */
    @Test
    void aClientThatGoesAwayIsNoErrorOfTheServer(CapturedOutput output) {
        assertThat(problems.unexpected(new ClientAbortException())).isNull();
        assertThat(output).doesNotContain("ClientAbortException");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
            GET /api/teams/acme/MARKER HTTP/1.1           ! 404
            GET /?team=MARKER%zz HTTP/1.1                 ! 400
            POST /login?team=MARKER%zz HTTP/1.1           ! 400
            GET //MARKER HTTP/1.1                         ! 400
            POST //MARKER HTTP/1.1                        ! 400
            TRACE /api/teams/acme/MARKER HTTP/1.1         ! 405
            """)
    void whatTheSampleRefusesIsAnsweredWithTheHeadersAndNotQuoted(String line, int status, CapturedOutput output)
            throws IOException {
        assertThat(send(line))
                .startsWith("HTTP/1.1 " + status)
                .contains("Content-Security-Policy: default-src 'none'", "Cache-Control: no-store")
                .containsIgnoringCase("Content-Type: application/problem+json")
                .contains("\"status\":" + status)
                .doesNotContain("MARKER", "instance", "Tomcat");
        assertThat(output).doesNotContain("MARKER");
    }

    /** People see what has happened, in a page, and nothing of what has failed. */
    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
            GET /nowhere/MARKER HTTP/1.1                  ! 404
            GET /?team=MARKER%zz HTTP/1.1                 ! 400
            """)
    void aBrowserGetsAPage(String line, int status, CapturedOutput output) throws IOException {
        assertThat(send(line + "\r\nAccept: text/html"))
                .startsWith("HTTP/1.1 " + status)
                .containsIgnoringCase("Content-Type: text/html")
                .contains("<h1")
                .doesNotContain("MARKER", "Tomcat");
        assertThat(output).doesNotContain("MARKER");
    }

    @Test
    void whatFailsInTheServerIsToldWithoutItsReason(CapturedOutput output) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/reveal");
        StoreException failed = new StoreException("The disk has failed", "Replace it", null);
        SealedValueException sealed = new SealedValueException("secrets");
        assertThat(problems.storeFailed(failed).getStatus()).isEqualTo(503);
        assertThat(problems.storeFailed(failed).getDetail()).doesNotContain("disk");
        assertThat(problems.storeFailedPage(failed, request))
                .extracting(ModelAndView::getStatus, page -> page.getModel().get("recipient"))
                .containsExactly(HttpStatus.SERVICE_UNAVAILABLE, true);
        assertThat(problems.sealedPage(sealed, request).getStatus()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
        assertThat(problems.unexpected(new IllegalStateException("hunter2")))
                .extracting(ProblemDetail::getStatus, ProblemDetail::getDetail)
                .containsExactly(500, "The request failed because of an error in the server.");
        assertThat(output).contains("The store has failed", "The disk has failed", "A request failed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
            GET /api/teams/acme/secrets/MARKER<> HTTP/1.1 ! 400
            GET /api/teams/acme/secrets/MARKER% HTTP/1.1  ! 400
            GET /api/teams/a|b/secrets/MARKER HTTP/1.1    ! 400
            GET /api/teams/acme%2Fsecrets/MARKER HTTP/1.1 ! 400
            GET /api/teams/acme/secrets/MARKER HTTP/9.1   ! 505
            MARKER                                        ! 400
            """)
    void whatTheServerRefusesItselfIsNotQuoted(String line, int status, CapturedOutput output) throws IOException {
        assertThat(send(line)).startsWith("HTTP/1.1 " + status).doesNotContain("MARKER", "Tomcat/", "Exception");
        assertThat(output).doesNotContain("MARKER");
    }

    private String send(String line) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream()
                    .write((line + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
