package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsProcessor;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import dev.ttlstore.Store;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.spring.idempotency.Exchange.RecordedResponse;
import dev.ttlstore.spring.idempotency.Exchanges.Claim;
import dev.ttlstore.spring.idempotency.Exchanges.ExchangeLocation;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Lets POST and PATCH requests with the header {@code Idempotency-Key} take effect once, as described in
 * draft-ietf-httpapi-idempotency-key-header. It stores the first answer and repeats it for a time. The starter
 * registers the filter with {@code store.idempotency.enabled=true}. Thread-safe.
 *
 * <pre class="language-shell">{@code
 * curl -i -H 'Idempotency-Key: "8e03978e-40d5-43dd"' -d 'amount=10' http://localhost:8080/payments
 * }</pre>
 *
 * <p>While the first request runs, others with its key get 409. A different request with the same key gets 422. An
 * exception frees the key, and so does an answer with a status that is not {@linkplain IdempotencySettings#KEPT kept}.
 * The filter stores the answer before it sends it, unless the answer is a stream or too large. It stores an
 * asynchronous answer when that is complete.
 *
 * <p>The filter does not read the body of the first request before the application does. It compares the part of the
 * body that the application has read.
 *
 * @since 0.1
 * @see RequestOwner
 * @see IdempotencySettings
 */
public final class IdempotencyFilter extends OncePerRequestFilter {

    /** The group that holds the answers, by a hash of the owner and the key, in each of two scopes. */
    public static final String GROUP = Exchanges.GROUP;

    /** The scope of the requests whose owner is known. */
    public static final String SCOPE = Exchanges.SCOPE;

    /** The scope of all other requests. Requests that anybody can send take no room from those of known owners. */
    public static final String ANONYMOUS_SCOPE = Exchanges.ANONYMOUS_SCOPE;

    /** The header of a repeated answer. */
    public static final String REPLAYED = "Idempotency-Replayed";

    private static final Logger log = LoggerFactory.getLogger(IdempotencyFilter.class);

    private static final Set<String> METHODS = Set.of("POST", "PATCH");

    private static final String RUNNING = IdempotencyFilter.class.getName() + ".running";

    private final Exchanges exchanges;
    private final IdempotencySettings settings;
    private final RequestOwner owner;
    private final CorsConfigurationSource origins;
    private final CorsProcessor cors = new DefaultCorsProcessor();
    private final List<PathPattern> paths;
    private final List<PathPattern> required;

    /**
     * Creates the filter.
     *
     * @param store the store that holds the answers
     * @param settings the settings
     * @param owner finds the owner of a key
     * @param origins finds the origins whose pages may read the filter's own answers, as for the application's answers
     */
    public IdempotencyFilter(
            Store store, IdempotencySettings settings, RequestOwner owner, CorsConfigurationSource origins) {
        this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
        this.exchanges = new Exchanges(store, settings);
        this.owner = Objects.requireNonNull(owner, "'owner' must not be null");
        this.origins = Objects.requireNonNull(origins, "'origins' must not be null");
        this.paths = patterns(settings.paths());
        this.required = patterns(settings.requiredPaths());
    }

    private static List<PathPattern> patterns(List<String> texts) {
        return texts.stream().map(PathPatternParser.defaultInstance::parse).toList();
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !METHODS.contains(request.getMethod());
    }

    /** The answer of an asynchronous request may be there after the last dispatch. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getAttribute(RUNNING) instanceof RunningRequest running) { // an asynchronous dispatch
            proceed(running, request, response, chain);
            return;
        }
        List<String> headers = Collections.list(request.getHeaders(IdempotencyKeys.HEADER));
        if (headers.isEmpty()) {
            if (matches(required, request)) {
                refuse(Problems.MISSING, request, response);
            } else {
                chain.doFilter(request, response);
            }
            return;
        }
        if (!paths.isEmpty() && !matches(paths, request) && !matches(required, request)) {
            chain.doFilter(request, response);
            return;
        }
        String key = headers.size() == 1 ? IdempotencyKeys.parse(headers.get(0)) : null;
        if (key == null) {
            refuse(Problems.MALFORMED, request, response);
        } else {
            filter(key, request, response, chain);
        }
    }

    private static boolean matches(List<PathPattern> patterns, HttpServletRequest request) {
        if (patterns.isEmpty()) {
            return false;
        }
        PathContainer path = PathContainer.parsePath(
                request.getRequestURI().substring(request.getContextPath().length()));
        return patterns.stream().anyMatch(pattern -> pattern.matches(path));
    }

    private void filter(String key, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        ExchangeLocation location = exchanges.location(owner.of(request), key);
        if (!exchanges.hasRoom(location)) {
            refuse(Problems.FULL, request, response);
            return;
        }
        String head = head(request);
        Claim claim;
        try {
            claim = exchanges.claim(location, head);
        } catch (QuotaExceededException e) {
            log.warn(
                    "A request with an Idempotency-Key was refused, because there is no room for its answer. {}",
                    e.getMessage());
            refuse(Problems.FULL, request, response);
            return;
        }
        if (claim == null) {
            repeat(location, head, request, response);
        } else {
            RunningRequest running = new RunningRequest(exchanges, claim, settings, request, response);
            request.setAttribute(RUNNING, running);
            proceed(running, running.request(), running.response(), chain);
        }
    }

    /** What tells requests apart, beside their bodies. */
    private static String head(HttpServletRequest request) {
        return new Hasher()
                .add(request.getMethod())
                .add(request.getServerName().toLowerCase(Locale.ROOT))
                .add(request.getRequestURI())
                .add(request.getQueryString() == null ? "" : request.getQueryString())
                .hex();
    }

    private void repeat(
            ExchangeLocation location, String head, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Exchange first = exchanges.find(location).orElse(null);
        if (first == null) {
            refuse(Problems.RUNNING, request, response); // it has ended just now without taking effect
            return;
        }
        RecordedResponse answer = first.answer();
        Body body = first.body();
        if (!first.head().equals(head)) {
            refuse(Problems.ANOTHER_REQUEST, request, response);
        } else if (answer == null) {
            refuse(Problems.RUNNING, request, response);
        } else if (body != null && !body.isOf(request)) {
            refuse(Problems.ANOTHER_REQUEST, request, response);
        } else if (answer.body() == null) {
            refuse(Problems.NOT_KEPT, request, response);
        } else if (mayBeRead(request, response)) {
            repeat(answer, answer.body(), response);
        }
    }

    private static void repeat(RecordedResponse answer, byte[] body, HttpServletResponse response) throws IOException {
        response.setHeader(REPLAYED, "true");
        for (int i = 0; i < answer.headers().size(); i += 2) {
            String name = answer.headers().get(i);
            String value = answer.headers().get(i + 1);
            if (!response.getHeaders(name).contains(value)) { // as "Vary" may have been set for this request
                response.addHeader(name, value);
            }
        }
        if (!answer.ending().end(response, answer.status(), answer.text())) {
            response.setStatus(answer.status());
            if (body.length > 0) {
                response.setContentLength(body.length);
                response.getOutputStream().write(body);
            }
        }
    }

    private void refuse(Problems problem, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (mayBeRead(request, response)) {
            problem.send(response);
        }
    }

    /**
     * Lets a page of another origin read what comes, if it may read what the application answers, which would have said so itself.
     * Otherwise refuses the request, as the application would have.
     */
    private boolean mayBeRead(HttpServletRequest request, HttpServletResponse response) throws IOException {
        CorsConfiguration configuration =
                CorsUtils.isCorsRequest(request) ? origins.getCorsConfiguration(request) : null;
        return configuration == null || cors.processRequest(configuration, request, response);
    }

    private static void proceed(
            RunningRequest running, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean returned = false;
        try {
            chain.doFilter(request, response);
            returned = true;
        } finally {
            if (!returned) {
                running.fail();
            }
        }
        if (!request.isAsyncStarted()) {
            running.end();
        }
    }
}
