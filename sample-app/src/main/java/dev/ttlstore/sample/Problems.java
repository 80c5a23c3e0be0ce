package dev.ttlstore.sample;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

import dev.ttlstore.StoreException;

import tools.jackson.core.JacksonException;

/** Errors as RFC 9457 problem details. None of them, and no line in the log, quotes what was sent. */
@RestControllerAdvice
@RegisterReflectionForBinding(Invalid.class) // for native images: no signature tells that it is answered as JSON
class Problems extends ResponseEntityExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(Problems.class);

    private static final String BODY = "The body must be JSON such as {\"value\": \"…\", \"ttl\": \"PT10M\"}.";

    private static final Set<String> FIELDS = Set.of("value", "ttl");

    @ExceptionHandler
    ProblemDetail invalid(InvalidRequestException e) {
        return invalid(e.fields());
    }

    @ExceptionHandler
    ProblemDetail noSuchSecret(NoSuchSecretException e) {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.NOT_FOUND, "There is no such secret: it was used, has expired, or never was.");
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
