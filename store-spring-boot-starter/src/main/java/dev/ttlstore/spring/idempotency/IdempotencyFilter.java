package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.WebUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.ValueTooLargeException;
import dev.ttlstore.spring.idempotency.Exchange.Answer;
import dev.ttlstore.spring.transaction.SeparateTransaction;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Lets POST and PATCH requests with the header {@code Idempotency-Key} take effect once, as described in
 * draft-ietf-httpapi-idempotency-key-header: the first answer is stored, and repeated for a time. While the first request runs, others
 * with its key get 409; another request with the same key gets 422. An answer that says that the request has not taken effect (5xx, 401,
 * 403, 408, 425, 429) and an exception free the key. The answer is stored before it is sent. Thread-safe.
 */
public final class IdempotencyFilter extends OncePerRequestFilter {

    /** The group that holds the answers, by a hash of the owner and the key. */
    public static final String GROUP = "idempotency";

    /** The header of a repeated answer. */
    public static final String REPLAYED = "Idempotency-Replayed";

    private static final Logger log = LoggerFactory.getLogger(IdempotencyFilter.class);

    private static final Set<String> METHODS = Set.of("POST", "PATCH");

    /** Statuses, beside 5xx, of requests that have not taken effect and may be sent again as they are. */
    private static final Set<Integer> RETRIED = Set.of(401, 403, 408, 425, 429);

    private static final String RUN = IdempotencyFilter.class.getName() + ".run";

    private final Group<Exchange> exchanges;
    private final IdempotencySettings settings;
    private final RequestOwner owner;
    private final List<PathPattern> required;

    /**
     * Creates the filter.
     *
     * @param store the store or scope that holds the answers
     * @param settings the settings
     * @param owner says whose key a request has
     */
    public IdempotencyFilter(Keyspace store, IdempotencySettings settings, RequestOwner owner) {
        this.exchanges =
                Objects.requireNonNull(store, "'store' must not be null").group(GROUP, Exchange.CODEC);
        this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
        this.owner = Objects.requireNonNull(owner, "'owner' must not be null");
        this.required = settings.requiredPaths().stream()
                .map(PathPatternParser.defaultInstance::parse)
                .toList();
    }

    /**
     * A request that runs.
     *
     * @param key the key of its entry
     * @param version the version of its entry, by which it knows whether it has lost it
     * @param fingerprint what tells it from other requests
     * @param response what holds the answer back
     */
    private record Run(String key, long version, String fingerprint, CapturedResponse response) {}

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !METHODS.contains(request.getMethod());
    }

    /** The answer of an asynchronous request is there after the last dispatch. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getAttribute(RUN) instanceof Run running) { // an asynchronous dispatch
            proceed(running, request, response, chain);
            return;
        }
        List<String> headers = Collections.list(request.getHeaders(IdempotencyKeys.HEADER));
        if (headers.isEmpty()) {
            if (isRequired(request)) {
                Problems.MISSING.send(response);
            } else {
                chain.doFilter(request, response);
            }
            return;
        }
        String key = headers.size() == 1 ? IdempotencyKeys.parse(headers.get(0)) : null;
        if (key == null) {
            Problems.MALFORMED.send(response);
        } else {
            filter(key, request, response, chain);
        }
    }

    private boolean isRequired(HttpServletRequest request) {
        String path = request.getRequestURI().substring(request.getContextPath().length());
        PathContainer parsed = PathContainer.parsePath(path);
        return required.stream().anyMatch(pattern -> pattern.matches(parsed));
    }

    private void filter(String key, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpServletRequest readable = request;
        String fingerprint;
        if (Fingerprints.isForm(request)) {
            fingerprint = Fingerprints.ofForm(request);
        } else {
            byte[] body = request.getInputStream().readNBytes((int) settings.maxRequestSize() + 1);
            if (body.length > settings.maxRequestSize()) {
                Problems.REQUEST_TOO_LARGE.send(response);
                return;
            }
            BufferedRequest buffered = new BufferedRequest(request, body);
            fingerprint = Fingerprints.of(buffered);
            readable = buffered;
        }
        String entry = new Hash().add(owner.of(request)).add(key).hex();
        OptionalLong version = begin(entry, fingerprint);
        if (version.isPresent()) {
            Run run = new Run(entry, version.getAsLong(), fingerprint, new CapturedResponse(response));
            request.setAttribute(RUN, run);
            proceed(run, readable, run.response(), chain);
        } else {
            repeat(entry, fingerprint, response);
        }
    }

    /** Marks a request as running, unless its key is in use. */
    private OptionalLong begin(String entry, String fingerprint) {
        Exchange running = new Exchange(fingerprint, null);
        return SeparateTransaction.call(() -> exchanges.putIfAbsent(entry, running, settings.runningTimeout()));
    }

    private void repeat(String entry, String fingerprint, HttpServletResponse response) throws IOException {
        Exchange first = find(entry).orElse(null);
        if (first == null) {
            Problems.RUNNING.send(response); // it has ended just now without taking effect
        } else if (!first.fingerprint().equals(fingerprint)) {
            Problems.ANOTHER_REQUEST.send(response);
        } else {
            Answer answer = first.answer();
            if (answer == null) {
                Problems.RUNNING.send(response);
            } else {
                repeat(answer, response);
            }
        }
    }

    private Optional<Exchange> find(String entry) {
        try {
            return SeparateTransaction.call(() -> exchanges.entry(entry)).map(Entry::value);
        } catch (CodecException | SealedValueException e) {
            log.warn("The answer to a request cannot be repeated. {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static void repeat(Answer answer, HttpServletResponse response) throws IOException {
        byte[] body = answer.body();
        if (body == null) {
            Problems.TOO_LARGE_TO_REPEAT.send(response);
            return;
        }
        response.setHeader(REPLAYED, "true");
        for (int i = 0; i < answer.headers().size(); i += 2) {
            response.addHeader(answer.headers().get(i), answer.headers().get(i + 1));
        }
        if (answer.isError()) {
            response.sendError(answer.status());
        } else {
            response.setStatus(answer.status());
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }

    private void proceed(Run run, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean ended = false;
        try {
            chain.doFilter(request, response);
            ended = true;
        } finally {
            if (!ended) {
                release(run);
            }
        }
        if (!isAsyncStarted(request)) {
            end(run, request);
        }
    }

    private void end(Run run, HttpServletRequest request) throws IOException {
        CapturedResponse response = run.response();
        int status = response.getStatus();
        boolean failed = request.getAttribute(WebUtils.ERROR_EXCEPTION_ATTRIBUTE) != null;
        if (failed || status >= 500 || RETRIED.contains(status)) {
            release(run);
        } else {
            keep(run, response.answer());
        }
        response.send();
    }

    /**
     * Stores the answer, without its body if that is too large for the store. If it cannot be stored at all, the client gets it
     * nevertheless, because its request has taken effect; until the running timeout nobody else runs it.
     */
    private void keep(Run run, Answer answer) {
        try {
            try {
                store(run, answer);
            } catch (ValueTooLargeException e) {
                log.warn("The answer to a request with an Idempotency-Key cannot be repeated. {}", e.getMessage());
                store(run, new Answer(answer.status(), answer.isError(), answer.headers(), null));
            }
        } catch (StoreException e) {
            log.error(
                    "The answer to a request with an Idempotency-Key could not be stored, so it cannot be repeated", e);
        }
    }

    private void store(Run run, Answer answer) {
        Exchange exchange = new Exchange(run.fingerprint(), answer);
        OptionalLong stored = SeparateTransaction.call(
                () -> exchanges.replaceVersion(run.key(), run.version(), exchange, settings.ttl()));
        if (stored.isEmpty()) {
            log.warn(
                    "A request with an Idempotency-Key has taken longer than {}, so its answer cannot be repeated, and the"
                            + " same request may have taken effect once more; raise 'store.idempotency.running-timeout'",
                    settings.runningTimeout());
        }
    }

    /** Frees the key. If the store fails, the client gets what the application has answered or thrown nevertheless. */
    private void release(Run run) {
        try {
            boolean unused = SeparateTransaction.call(() -> exchanges.deleteVersion(run.key(), run.version()));
        } catch (StoreException e) {
            log.error(
                    "The Idempotency-Key of a request that has not taken effect could not be freed, so requests with it"
                            + " get 409 for up to {} ('store.idempotency.running-timeout')",
                    settings.runningTimeout(),
                    e);
        }
    }
}
