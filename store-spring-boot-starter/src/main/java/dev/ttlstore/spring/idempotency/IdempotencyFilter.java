package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsProcessor;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.WebUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import dev.ttlstore.Entry;
import dev.ttlstore.Group;
import dev.ttlstore.LiveKeyspace;
import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.ValueTooLargeException;
import dev.ttlstore.spring.idempotency.Exchange.Answer;
import dev.ttlstore.spring.transaction.OutsideTransaction;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Lets POST and PATCH requests with the header {@code Idempotency-Key} take effect once, as described in
 * draft-ietf-httpapi-idempotency-key-header: the first answer is stored, and repeated for a time. While the first request runs, others
 * with its key get 409; another request with the same key gets 422. An exception frees the key, and so does an answer with a status that
 * is not {@linkplain IdempotencySettings#KEPT kept}. The answer is stored before it is sent, unless it is a stream or too large.
 *
 * <p>The first request reaches the application as it came: its body is not read before, and compared is what the application has read of
 * it. An asynchronous answer is stored when it is complete. Thread-safe.
 */
public final class IdempotencyFilter extends OncePerRequestFilter {

    /** The group that holds the answers, by a hash of the owner and the key, in each of two scopes. */
    public static final String GROUP = "idempotency";

    /** The scope of the requests whose owner is known. */
    public static final String SCOPE = "idempotency";

    /** The scope of all other requests, so that what anybody can send takes no room of the others. */
    public static final String ANONYMOUS_SCOPE = "idempotency-anonymous";

    /** The header of a repeated answer. */
    public static final String REPLAYED = "Idempotency-Replayed";

    private static final Logger log = LoggerFactory.getLogger(IdempotencyFilter.class);

    private static final Set<String> METHODS = Set.of("POST", "PATCH");

    private static final String RUN = IdempotencyFilter.class.getName() + ".run";

    private final Group<Exchange> known;
    private final Group<Exchange> anonymous;
    private final OwnerSizes sizes;
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
     * @param owner says whose key a request has
     * @param origins says which pages of other origins may read what the filter itself answers, as it does for the application's answers
     */
    public IdempotencyFilter(
            Store store, IdempotencySettings settings, RequestOwner owner, CorsConfigurationSource origins) {
        this.settings = Objects.requireNonNull(settings, "'settings' must not be null");
        LiveKeyspace owned = scope(store, SCOPE, settings.maxSize());
        this.known = owned.group(GROUP, Exchange.CODEC);
        this.anonymous =
                scope(store, ANONYMOUS_SCOPE, settings.maxAnonymousSize()).group(GROUP, Exchange.CODEC);
        this.sizes = new OwnerSizes(owned, settings.maxOwnerSize(), settings.ttl());
        this.owner = Objects.requireNonNull(owner, "'owner' must not be null");
        this.origins = Objects.requireNonNull(origins, "'origins' must not be null");
        this.paths = patterns(settings.paths());
        this.required = patterns(settings.requiredPaths());
    }

    private static LiveKeyspace scope(Store store, String name, long maxBytes) {
        Objects.requireNonNull(store, "'store' must not be null");
        return OutsideTransaction.of(store.scope(name, new Quota(0, 0, maxBytes)));
    }

    private static List<PathPattern> patterns(List<String> texts) {
        return texts.stream().map(PathPatternParser.defaultInstance::parse).toList();
    }

    /**
     * Where the answer to a request is kept.
     *
     * @param exchanges the group
     * @param key the key in the group
     * @param owner a hash of the owner; null if nobody knows it
     */
    private record Place(
            Group<Exchange> exchanges, String key, @Nullable String owner) {

        OptionalLong begin(String head, Duration timeout) {
            Exchange running = new Exchange(head, null, null);
            return exchanges.putIfAbsent(key, running, timeout);
        }

        Optional<Exchange> find() {
            return exchanges.entry(key).map(Entry::value);
        }

        boolean store(long version, Exchange exchange, Duration ttl) {
            return exchanges.replaceVersion(key, version, exchange, ttl).isPresent();
        }

        void free(long version) {
            boolean unused = exchanges.deleteVersion(key, version);
        }
    }

    /** A request that runs. It ends once, in the thread that completes its answer. */
    private final class Run implements TrackedRequest.Completion {
        private final Place place;

        /** The version of its entry, by which it knows whether it has lost it. */
        private final long version;

        private final String head;
        private final TrackedRequest request;
        private final HeldResponse response;
        private final AtomicBoolean ended = new AtomicBoolean();

        Run(Place place, long version, String head, HttpServletRequest request, HttpServletResponse response) {
            this.place = place;
            this.version = version;
            this.head = head;
            this.response = new HeldResponse(response, settings.maxAnswerSize());
            this.request = new TrackedRequest(request, this.response, this);
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
                release(this);
            }
        }

        void fail() throws IOException {
            if (ended.compareAndSet(false, true)) {
                release(this);
                response.fail();
            }
        }

        void end() throws IOException {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            boolean failed = request.getAttribute(WebUtils.ERROR_EXCEPTION_ATTRIBUTE) != null;
            if (failed || !settings.keeps(response.getStatus())) {
                release(this);
            } else {
                keep(this, response.answer());
            }
            response.send();
        }
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
        if (request.getAttribute(RUN) instanceof Run running) { // an asynchronous dispatch
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
        Place place = place(owner.of(request), key);
        if (place.owner() != null
                && sizes.isFull(place.owner())
                && !place.exchanges().contains(place.key())) {
            log.warn(
                    "A request with an Idempotency-Key was refused, because the answers to its owner take more than {} bytes"
                            + " ('store.idempotency.max-owner-size')",
                    settings.maxOwnerSize());
            refuse(Problems.FULL, request, response);
            return;
        }
        String head = head(request);
        OptionalLong version;
        try {
            version = place.begin(head, settings.runningTimeout());
        } catch (QuotaExceededException e) {
            log.warn(
                    "A request with an Idempotency-Key was refused, because there is no room for its answer. {}",
                    e.getMessage());
            refuse(Problems.FULL, request, response);
            return;
        }
        if (version.isPresent()) {
            Run run = new Run(place, version.getAsLong(), head, request, response);
            request.setAttribute(RUN, run);
            proceed(run, run.request, run.response, chain);
        } else {
            repeat(place, head, request, response);
        }
    }

    private Place place(@Nullable String owner, String key) {
        return owner == null || owner.isEmpty()
                ? new Place(anonymous, new Hash().add("").add(key).hex(), null)
                : new Place(
                        known,
                        new Hash().add(owner).add(key).hex(),
                        new Hash().add(owner).hex());
    }

    /** What tells requests apart, beside their bodies. */
    private static String head(HttpServletRequest request) {
        return new Hash()
                .add(request.getMethod())
                .add(request.getServerName().toLowerCase(Locale.ROOT))
                .add(request.getRequestURI())
                .add(request.getQueryString() == null ? "" : request.getQueryString())
                .hex();
    }

    private void repeat(Place place, String head, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Exchange first = find(place).orElse(null);
        if (first == null) {
            refuse(Problems.RUNNING, request, response); // it has ended just now without taking effect
            return;
        }
        Answer answer = first.answer();
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

    private static Optional<Exchange> find(Place place) {
        try {
            return place.find();
        } catch (CodecException | SealedValueException e) {
            log.warn("The answer to a request cannot be repeated. {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static void repeat(Answer answer, byte[] body, HttpServletResponse response) throws IOException {
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

    private void proceed(Run run, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean returned = false;
        try {
            chain.doFilter(request, response);
            returned = true;
        } finally {
            if (!returned) {
                run.fail();
            }
        }
        if (!request.isAsyncStarted()) {
            run.end();
        }
    }

    /**
     * Stores the answer, without its body if that is too large for the store. If it cannot be stored at all, the client gets it
     * nevertheless, because its request has taken effect; until the running timeout nobody else runs it.
     */
    private void keep(Run run, Answer answer) {
        Body body = run.request.body();
        try {
            try {
                if (answer.body() == null) {
                    log.warn(
                            "The answer to a request with an Idempotency-Key cannot be repeated, because it is a stream or larger"
                                    + " than {} bytes ('store.idempotency.max-answer-size')",
                            settings.maxAnswerSize());
                }
                store(run, new Exchange(run.head, body, answer));
            } catch (ValueTooLargeException | QuotaExceededException e) {
                log.warn("The answer to a request with an Idempotency-Key cannot be repeated. {}", e.getMessage());
                store(run, new Exchange(run.head, body, answer.withoutBody()));
            }
        } catch (StoreException e) {
            log.error(
                    "The answer to a request with an Idempotency-Key could not be stored, so it cannot be repeated", e);
        }
    }

    private void store(Run run, Exchange exchange) {
        Answer answer = exchange.answer();
        if (run.place.owner() != null && answer != null) {
            sizes.add(run.place.owner(), answer);
        }
        if (!run.place.store(run.version, exchange, settings.ttl())) {
            log.warn(
                    "A request with an Idempotency-Key has taken longer than {}, so its answer cannot be repeated, and the"
                            + " same request may have taken effect once more; raise 'store.idempotency.running-timeout'",
                    settings.runningTimeout());
        }
    }

    /** Frees the key. If the store fails, the client gets what the application has answered or thrown nevertheless. */
    private void release(Run run) {
        try {
            run.place.free(run.version);
        } catch (StoreException e) {
            log.error(
                    "The Idempotency-Key of a request that has not taken effect could not be freed, so requests with it"
                            + " get 409 for up to {} ('store.idempotency.running-timeout')",
                    settings.runningTimeout(),
                    e);
        }
    }
}
