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
 * Answers what Tomcat refuses before any filter, such as a request that is not HTTP. The answer has the common
 * headers, and quotes nothing of the request.
 */
@Component
class ServerRefusals implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {

    private static final Logger log = LoggerFactory.getLogger(ServerRefusals.class);

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new Refusal()));
        // Spring Security's firewall refuses an encoded slash, like everything else that is suspicious in an address.
        factory.addConnectorCustomizers(
                connector -> connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue()));
    }

    private static final class Refusal extends ErrorReportValve {

        @Override
        protected void report(Request request, Response response, @Nullable Throwable failure) {
            // The conditions of the overridden method: answer once, and only if nothing else has answered.
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
                            "{\"title\":\"%s\",\"status\":%d,\"detail\":\"The server does not understand this"
                                    + " request.\"}",
                            status.getReasonPhrase(), status.value());
                    response.finishResponse();
                }
            } catch (IOException e) {
                log.debug("A refused client has disconnected", e);
            }
        }
    }
}
