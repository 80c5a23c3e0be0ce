package dev.ttlstore.sample.web;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.TypeMismatchException;
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
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.util.DisconnectedClientHelper;

import dev.ttlstore.exception.SealedValueException;
import dev.ttlstore.exception.StoreException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Answers errors as pages to browsers, and as problem details (RFC 9457) to all others. Neither the answer nor the log
 * quotes the request.
 */
@RestControllerAdvice
@RegisterReflectionForBinding(Invalid.class) // for native images: no signature mentions it
class Problems extends ResponseEntityExceptionHandler implements ResponseBodyAdvice<Object> {

    private static final Logger log = LoggerFactory.getLogger(Problems.class);

    private static final String BODY = "The body must be JSON such as {\"value\": \"…\", \"ttl\": \"PT10M\"}.";

    private static final String UNDECRYPTED =
            "The secret exists, but this server's keys cannot decrypt it. It is still unread; tell its sender.";

    private static final Set<String> FIELDS =
            Set.of("value", "ttl", "team", "newTeam", "key", "id", "by", "passphrase", "views", "sealed");

    /** What the fields that are no texts must be. */
    private static final Map<String, String> KINDS = Map.of(
            "views", "must be a whole number", "sealed", "must be true or false", "newTeam", "must be true or false");

    private final ErrorAnswers answers;

    Problems(ErrorAnswers answers) {
        this.answers = answers;
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(Refusal e) {
        return e.answer();
    }

    @ExceptionHandler(produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView refusedPage(Refusal e, HttpServletRequest request) {
        return page(request, e.status(), e.title(), e.text());
    }

    @ExceptionHandler(exception = NoResourceFoundException.class, produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView noSuchPage(HttpServletRequest request) {
        return page(request, HttpStatus.NOT_FOUND, "Page not found", "The address may be incomplete or mistyped.");
    }

    /** Answers someone who opens an address by hand that only forms and programs use. */
    @ExceptionHandler(exception = HttpRequestMethodNotSupportedException.class, produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView noPage(
            HttpRequestMethodNotSupportedException e, HttpServletRequest request, HttpServletResponse response) {
        e.getHeaders().forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        return page(
                request,
                HttpStatus.METHOD_NOT_ALLOWED,
                "There is no page here",
                "This address is only for forms and programs. Nothing was changed.");
    }

    /** Answers a form with fields that the page does not offer. */
    @ExceptionHandler(
            exception = {TypeMismatchException.class, MissingServletRequestParameterException.class},
            produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView invalidForm(HttpServletRequest request) {
        return page(
                request,
                HttpStatus.BAD_REQUEST,
                "The form is invalid",
                "One of its fields has no valid value, and nothing was done. Go back, reload the page, and try again.");
    }

    /** Logs one line without a stack trace: it names the group and what to do, and that is all there is to know. */
    @ExceptionHandler
    ProblemDetail sealed(SealedValueException e) {
        log.error("A requested secret cannot be decrypted. {}", e.getMessage());
        return ProblemDetail.forStatusAndDetail(HttpStatus.INTERNAL_SERVER_ERROR, UNDECRYPTED);
    }

    @ExceptionHandler(exception = SealedValueException.class, produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView sealedPage(SealedValueException e, HttpServletRequest request) {
        return page(request, sealed(e));
    }

    @ExceptionHandler
    ProblemDetail storeFailed(StoreException e) {
        log.error("The store has failed", e);
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "The store is unavailable.");
    }

    @ExceptionHandler(exception = StoreException.class, produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView storeFailedPage(StoreException e, HttpServletRequest request) {
        return page(request, storeFailed(e));
    }

    /** Answers parameters that cannot be decoded. The exception quotes them. */
    @ExceptionHandler
    ProblemDetail unreadable(InvalidParameterException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, answers.detail(HttpStatus.BAD_REQUEST));
    }

    @ExceptionHandler(exception = InvalidParameterException.class, produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView unreadablePage(HttpServletRequest request) {
        return page(request, HttpStatus.BAD_REQUEST, "Bad request", answers.detail(HttpStatus.BAD_REQUEST));
    }

    /** Answers a body that does not match its content type. */
    @ExceptionHandler({MultipartException.class, InvalidMediaTypeException.class, InvalidMimeTypeException.class})
    ProblemDetail malformed(Exception e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, BODY);
    }

    @ExceptionHandler
    @Nullable
    ProblemDetail unexpected(Exception e) {
        if (DisconnectedClientHelper.isClientDisconnectedException(e)) {
            return null; // anyone can do that at will, and nobody reads an answer
        }
        log.error("A request failed with {}", e.getClass().getName(), e);
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.INTERNAL_SERVER_ERROR, "The request failed because of an error in the server.");
    }

    /** Replaces Spring's own details, which quote addresses and parameters. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem) {
            problem.setDetail(answers.detail(status));
        }
        return super.createResponseEntity(body, headers, status, request);
    }

    /** Takes only the field from Jackson's message, which quotes the body. */
    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String field = e.getCause() instanceof JacksonException cause ? field(cause) : "";
        Refusal refusal = e.getCause() instanceof UnrecognizedPropertyException unknown
                ? Refusal.of(
                        HttpStatus.BAD_REQUEST,
                        "The body has an unknown field; nothing was stored. The fields are "
                                + String.join(", ", new TreeSet<>(known(unknown))) + ".")
                : field.isEmpty()
                        ? Refusal.of(HttpStatus.BAD_REQUEST, BODY)
                        : Refusal.of(field, KINDS.getOrDefault(field, "must be text"));
        return ResponseEntity.badRequest()
                .headers(headers)
                .body(refusal.answer().getBody());
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

    private static ModelAndView page(HttpServletRequest request, ProblemDetail problem) {
        HttpStatus status = HttpStatus.valueOf(problem.getStatus());
        return page(request, status, status.getReasonPhrase(), String.valueOf(problem.getDetail()));
    }

    static ModelAndView page(HttpServletRequest request, HttpStatus status, String title, String detail) {
        ModelAndView page = new ModelAndView("problem", status);
        page.addObject("team", ""); // the name in the address may be invalid
        page.addObject("recipient", isRecipient(JsonOnly.path(request)));
        page.addObject("title", title);
        page.addObject("detail", detail);
        return page;
    }

    /** Returns whether a path is one of those that recipients of links use. */
    private static boolean isRecipient(String path) {
        return path.startsWith("/reveal") || path.startsWith("/page/reveal");
    }

    private static List<String> known(UnrecognizedPropertyException e) {
        return e.getKnownPropertyIds().stream().map(Object::toString).toList();
    }

    private static String field(JacksonException e) {
        List<JacksonException.Reference> path = e.getPath();
        String name = path.isEmpty() ? null : path.get(0).getPropertyName();
        // Known names only: the answer does not repeat the sender's own field names.
        return name != null && FIELDS.contains(name) ? name : "";
    }
}
