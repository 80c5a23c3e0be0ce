package dev.ttlstore.sample.web;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

import jakarta.servlet.ServletException;

/**
 * Has Tomcat close the connection after an answer to a request whose body was not read. It would otherwise read the rest,
 * up to two megabytes, and occupy a thread for as long as the client takes to send them.
 */
@Component
class UnreadBodies implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addEngineValves(new Closing());
    }

    private static final class Closing extends ValveBase {

        Closing() {
            super(true); // asynchronous requests pass too
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            try {
                getNext().invoke(request, response);
            } finally {
                AtomicBoolean read = new AtomicBoolean();
                request.getCoyoteRequest().action(ActionCode.REQUEST_BODY_FULLY_READ, read);
                if (!read.get()) {
                    request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
                }
            }
        }
    }
}
