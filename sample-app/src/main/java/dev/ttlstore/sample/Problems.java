package dev.ttlstore.sample;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

import dev.ttlstore.exception.QuotaExceededException;
import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;

import tools.jackson.core.JacksonException;

/** Errors as RFC 9457 problem details. None of them, and no line in the log, quotes what was sent. */
@RestControllerAdvice
@RegisterReflectionForBinding(Invalid.class) // for native images: no signature tells that it is answered as JSON
class Problems extends ResponseEntityExceptionHandler implements ResponseBodyAdvice<Object> {

    private static final Logger log = LoggerFactory.getLogger(Problems.class);

    private static final String BODY = "The body must be JSON such as {\"value\": \"…\", \"ttl\": \"PT10M\"}.";

    private static final Set<String> FIELDS = Set.of("value", "ttl", "team", "key", "id", "by");

    private final QuotaProblems quotas;
    private final StatusDetail details;

    Problems(QuotaProblems quotas, StatusDetail details) {
        this.quotas = quotas;
        this.details = details;
    }

    @ExceptionHandler
    ProblemDetail invalid(InvalidRequestException e) {
        return invalid(e.fields());
    }

    @ExceptionHandler
    ProblemDetail noSuchSecret(NoSuchSecretException e) {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.NOT_FOUND, "There is no such secret: it was used, has expired, or never was.");
    }

    /** The limit of the team, and when the first of its secrets makes room. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> quotaExceeded(QuotaExceededException e) {
        return quotas.problem(e);
    }

    @ExceptionHandler
    ProblemDetail tooManyTeams(TooManyTeamsException e) {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.TOO_MANY_REQUESTS,
                "No more teams can be taken in that are not set up here; nothing was stored. Ask the operator to set yours up.");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> tooManyAttempts(TooManyAttemptsException e) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.TOO_MANY_REQUESTS,
                "A client may ask for " + e.limit()
                        + " secrets in a minute. Nothing was used up; wait, and ask again.");
        problem.setProperty("limit", e.limit());
        return later(problem, e.retryAfter());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> tooManyStreams(TooManyStreamsException e) {
        return later(ProblemDetail.forStatusAndDetail(e.status(), e.detail()), Duration.ofSeconds(30));
    }

    /** Not for each reader a trace in the log: which group it is, and what to do, is all that there is to know. */
    @ExceptionHandler
    ProblemDetail sealed(SealedValueException e) {
        log.error("A secret was asked for that does not open. {}", e.getMessage());
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "The secret is here, but cannot be opened with the keys of this server. It still waits; let its sender know.");
    }

    @ExceptionHandler
    ProblemDetail storeFailed(StoreException e) {
        log.error("The store has failed", e);
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "The store is not available now.");
    }

    /** A body that is not even the form that its content type says. */
    @ExceptionHandler({MultipartException.class, InvalidMediaTypeException.class, InvalidMimeTypeException.class})
    ProblemDetail malformed(Exception e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, BODY);
    }

    @ExceptionHandler
    ProblemDetail unexpected(Exception e) {
        log.error("A request has failed with {}", e.getClass().getName(), e);
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.INTERNAL_SERVER_ERROR, "The request has failed for a reason that is not yours.");
    }

    /** Spring's own details quote addresses and parameters. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem) {
            problem.setDetail(details.of(status));
        }
        return super.createResponseEntity(body, headers, status, request);
    }

    /** Jackson's own messages quote the body; the field is all that is taken from them. */
    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String field = e.getCause() instanceof JacksonException cause ? field(cause) : "";
        ProblemDetail problem = field.isEmpty()
                ? ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, BODY)
                : invalid(List.of(new Invalid(field, "must be text")));
        return ResponseEntity.badRequest().headers(headers).body(problem);
    }

    @Override
    public boolean supports(MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
        return true; // whether it is a problem is for the body to tell
    }

    /** Spring tells in each problem the path that was asked for, and there may be a key in that. */
    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter returned,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        if (body instanceof ProblemDetail problem) {
            problem.setInstance(null);
        }
        return body;
    }

    static ResponseEntity<ProblemDetail> later(ProblemDetail problem, Duration wait) {
        return ResponseEntity.status(problem.getStatus())
                .header(HttpHeaders.RETRY_AFTER, seconds(wait))
                .body(problem);
    }

    /** For {@code Retry-After}: whole seconds, and not sooner. */
    static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
    }

    private static String field(JacksonException e) {
        List<JacksonException.Reference> path = e.getPath();
        String name = path.isEmpty() ? null : path.get(0).getPropertyName();
        // Only names of ours: what the sender calls its fields is not for the answer.
        return name != null && FIELDS.contains(name) ? name : "";
    }

    private static ProblemDetail invalid(List<Invalid> fields) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.BAD_REQUEST, "The request is not valid; nothing was stored.");
        problem.setProperty("errors", fields);
        return problem;
    }
}
