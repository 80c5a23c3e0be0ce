package dev.ttlstore.sample;

import java.io.IOException;
import java.io.PrintWriter;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * What Tomcat refuses before a filter sees it, such as a request that is not HTTP: answered with the headers of all answers, and
 * without a word of what was sent.
 */
@Component
class ServerRefusals implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {

    private static final Logger log = LoggerFactory.getLogger(ServerRefusals.class);

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new Refusal()));
        // An encoded slash is for Spring Security's firewall to refuse, as it does all else that is odd in an address.
        factory.addConnectorCustomizers(
                connector -> connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue()));
    }

    private static final class Refusal extends ErrorReportValve {

        @Override
        protected void report(Request request, Response response, @Nullable Throwable failure) {
            // The rules of the method that this is in place of: once, and where nobody else has told of it.
            if (response.getStatus() < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
                return;
            }
            HttpStatus resolved = HttpStatus.resolve(response.getStatus());
            HttpStatus status = resolved != null ? resolved : HttpStatus.BAD_REQUEST;
            AnswerHeaders.set(response, request.isSecure());
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            try {
                PrintWriter writer = response.getReporter();
                if (writer != null) {
                    writer.printf(
                            "{\"title\":\"%s\",\"status\":%d,\"detail\":\"The request is not one that is understood here.\"}",
                            status.getReasonPhrase(), status.value());
                    response.finishResponse();
                }
            } catch (IOException e) {
                log.debug("A client that was refused is gone", e);
            }
        }
    }
}
