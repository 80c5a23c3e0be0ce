package dev.ttlstore.sample.web;

import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

import jakarta.servlet.http.HttpServletResponse;

/** Thrown to refuse a request, with the answer for its sender. Nothing was stored, and nothing was used up. */
public final class Refusal extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient ProblemDetail problem;
    private final @Nullable Duration retryAfter;

    private Refusal(ProblemDetail problem, @Nullable Duration retryAfter) {
        super(problem.getDetail());
        this.problem = problem;
        this.retryAfter = retryAfter;
    }

    public static Refusal of(HttpStatus status, String detail) {
        return new Refusal(ProblemDetail.forStatusAndDetail(status, detail), null);
    }

    /** Refuses invalid fields. No reason quotes the request. */
    public static Refusal of(List<Invalid> fields) {
        return of(HttpStatus.BAD_REQUEST, "The request is invalid; nothing was stored.")
                .with("errors", List.copyOf(fields));
    }

    public static Refusal of(String field, String reason) {
        return of(List.of(new Invalid(field, reason)));
    }

    /** Answers every secret that is no longer available alike: callers are not told why. */
    public static Refusal noSuchSecret() {
        return of(HttpStatus.NOT_FOUND, "There is no such secret: it was used, has expired, or never existed.");
    }

    /** Returns this refusal with the time after which it makes sense to try again. */
    public Refusal retryAfter(Duration wait) {
        return new Refusal(problem, wait);
    }

    /** Returns this refusal with a title of its own. */
    public Refusal titled(String title) {
        problem.setTitle(title);
        return this;
    }

    /** Returns this refusal with a further property. */
    public Refusal with(String property, Object value) {
        problem.setProperty(property, value);
        return this;
    }

    public HttpStatus status() {
        return HttpStatus.valueOf(problem.getStatus());
    }

    /** Sets the status and the time to wait of a response that is a page. */
    public void setStatusAndWait(HttpServletResponse response) {
        response.setStatus(problem.getStatus());
        if (retryAfter != null) {
            response.setHeader(HttpHeaders.RETRY_AFTER, seconds(retryAfter));
        }
    }

    /** Returns the reasons in words, for a page. */
    public String text() {
        Object errors =
                problem.getProperties() == null ? null : problem.getProperties().get("errors");
        return errors instanceof List<?> fields
                ? fields.stream().map(Object::toString).collect(Collectors.joining(" "))
                : String.valueOf(problem.getDetail());
    }

    String title() {
        return problem.getTitle() == null ? status().getReasonPhrase() : problem.getTitle();
    }

    ResponseEntity<ProblemDetail> answer() {
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(status());
        if (retryAfter != null) {
            answer.header(HttpHeaders.RETRY_AFTER, seconds(retryAfter));
        }
        return answer.body(problem);
    }

    /** Formats a wait for {@code Retry-After}, in whole seconds, rounded up. */
    public static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
    }
}
