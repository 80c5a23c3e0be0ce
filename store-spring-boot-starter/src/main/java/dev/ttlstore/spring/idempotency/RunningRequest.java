package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.util.WebUtils;

import dev.ttlstore.spring.idempotency.Exchanges.Claim;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** A request that runs. It ends once, in the thread that completes its answer. Thread-safe. */
final class RunningRequest implements TrackedContext.Completion {

    private static final Logger log = LoggerFactory.getLogger(RunningRequest.class);

    private final Exchanges exchanges;
    private final Claim claim;
    private final IdempotencySettings settings;
    private final TrackedRequest request;
    private final HeldResponse response;
    private final AtomicBoolean ended = new AtomicBoolean();

    RunningRequest(
            Exchanges exchanges,
            Claim claim,
            IdempotencySettings settings,
            HttpServletRequest request,
            HttpServletResponse response) {
        this.exchanges = exchanges;
        this.claim = claim;
        this.settings = settings;
        this.response = new HeldResponse(response, settings.maxAnswerSize());
        this.request = new TrackedRequest(request, this.response, this);
    }

    /** Returns the request for the application. */
    HttpServletRequest request() {
        return request;
    }

    /** Returns the response for the application. */
    HttpServletResponse response() {
        return response;
    }

    @Override
    public void complete() {
        try {
            end();
        } catch (IOException e) { // the container would not say more
            log.debug("An answer could not be sent", e);
        }
    }

    @Override
    public void over() {
        if (ended.compareAndSet(false, true)) {
            exchanges.release(claim);
        }
    }

    /** Ends a request whose handler has thrown. */
    void fail() throws IOException {
        if (ended.compareAndSet(false, true)) {
            exchanges.release(claim);
            response.fail();
        }
    }

    /** Keeps the answer, if it is one to be kept, and sends it. */
    void end() throws IOException {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        boolean failed = request.getAttribute(WebUtils.ERROR_EXCEPTION_ATTRIBUTE) != null;
        if (failed || !settings.keeps(response.getStatus())) {
            exchanges.release(claim);
        } else {
            Exchange.RecordedResponse answer = response.answer();
            exchanges.keep(claim, request.body(), answer);
        }
        response.send();
    }
}
