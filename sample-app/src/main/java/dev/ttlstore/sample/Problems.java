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

/** Answers errors as problem details (RFC 9457). Neither the answer nor the log quotes the request. */
@RestControllerAdvice
@RegisterReflectionForBinding(Invalid.class) // for native images: no signature mentions it
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
                HttpStatus.NOT_FOUND, "There is no such secret: it was used, has expired, or never existed.");
    }

    /** Names the limit of the team, and when its next secret expires. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> quotaExceeded(QuotaExceededException e) {
        return quotas.problem(e);
    }

    @ExceptionHandler
    ProblemDetail tooManyTeams(TooManyTeamsException e) {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.TOO_MANY_REQUESTS,
                "No further teams can be added by name, and nothing was stored. Ask the operator to set up your team.");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> tooManyAttempts(TooManyAttemptsException e) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.TOO_MANY_REQUESTS,
                "A client may request " + e.limit() + " secrets per minute. Nothing was used up. Wait, and try again.");
        problem.setProperty("limit", e.limit());
        return later(problem, e.retryAfter());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> tooManyStreams(TooManyStreamsException e) {
        return later(ProblemDetail.forStatusAndDetail(e.status(), e.detail()), Duration.ofSeconds(30));
    }

    /** Logs one line without a stack trace: it names the group and what to do, and that is all there is to know. */
    @ExceptionHandler
    ProblemDetail sealed(SealedValueException e) {
        log.error("A requested secret cannot be decrypted. {}", e.getMessage());
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "The secret exists, but this server's keys cannot decrypt it. It is still unread; tell its sender.");
    }

    @ExceptionHandler
    ProblemDetail storeFailed(StoreException e) {
        log.error("The store has failed", e);
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "The store is unavailable.");
    }

    /** Answers a body that does not match its content type. */
    @ExceptionHandler({MultipartException.class, InvalidMediaTypeException.class, InvalidMimeTypeException.class})
    ProblemDetail malformed(Exception e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, BODY);
    }

    @ExceptionHandler
    ProblemDetail unexpected(Exception e) {
        log.error("A request failed with {}", e.getClass().getName(), e);
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.INTERNAL_SERVER_ERROR, "The request failed because of an error in the server.");
    }

    /** Replaces Spring's own details, which quote addresses and parameters. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem) {
            problem.setDetail(details.of(status));
        }
        return super.createResponseEntity(body, headers, status, request);
    }

    /** Takes only the field from Jackson's message, which quotes the body. */
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
        return true; // beforeBodyWrite checks the body
    }

    /** Removes the requested path, which Spring adds to each problem: it may contain a key. */
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

    /** Formats a wait for {@code Retry-After}, in whole seconds, rounded up. */
    static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
    }

    private static String field(JacksonException e) {
        List<JacksonException.Reference> path = e.getPath();
        String name = path.isEmpty() ? null : path.get(0).getPropertyName();
        // Known names only: the answer does not repeat the sender's own field names.
        return name != null && FIELDS.contains(name) ? name : "";
    }

    private static ProblemDetail invalid(List<Invalid> fields) {
        ProblemDetail problem =
                ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, "The request is invalid; nothing was stored.");
        problem.setProperty("errors", fields);
        return problem;
    }
}
