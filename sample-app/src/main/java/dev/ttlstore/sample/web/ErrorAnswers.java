package dev.ttlstore.sample.web;

import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.security.web.WebAttributes;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

import static java.util.Objects.requireNonNullElse;

/**
 * Answers requests that reach no handler: those that a filter refuses, for example for a missing token, and those
 * that the server aborts. The answer says no more than the status.
 */
@Controller
@RequestMapping("${spring.web.error.path:/error}")
class ErrorAnswers implements ErrorController {

    private final SecretsProperties properties;

    ErrorAnswers(SecretsProperties properties) {
        this.properties = properties;
    }

    @RequestMapping(produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView page(HttpServletRequest request) {
        HttpStatus status = status(request);
        return Problems.page(request, status, status.getReasonPhrase(), detail(request, status));
    }

    @RequestMapping
    ResponseEntity<ProblemDetail> problem(HttpServletRequest request) {
        HttpStatus status = status(request);
        return ResponseEntity.status(status).body(ProblemDetail.forStatusAndDetail(status, detail(request, status)));
    }

    private String detail(HttpServletRequest request, HttpStatus status) {
        Object denied = request.getAttribute(WebAttributes.ACCESS_DENIED_403);
        return denied == null || denied instanceof CsrfException
                ? detail(status)
                : "Only the operator has access. Log in as the operator.";
    }

    /** Describes an error by its status only, so that nothing of the request is in the answer. */
    String detail(HttpStatusCode code) {
        return switch (requireNonNullElse(HttpStatus.resolve(code.value()), HttpStatus.INTERNAL_SERVER_ERROR)) {
            case UNAUTHORIZED -> "This takes a login. Log in first.";
            case FORBIDDEN ->
                "The token of the page is missing or no longer valid. Go back, reload the page, and try again.";
            case NOT_FOUND -> "There is nothing at this address. It may be incomplete or mistyped.";
            case METHOD_NOT_ALLOWED -> "This address does not support the method, but those in the Allow header.";
            case REQUEST_TIMEOUT -> "The body took too long, and nothing was stored. Try a faster connection.";
            case CONTENT_TOO_LARGE ->
                "The body must be at most " + properties.bodyLimit().toKilobytes() + " KB.";
            case UNSUPPORTED_MEDIA_TYPE -> "The body must be JSON, with a matching Content-Type header.";
            case TOO_MANY_REQUESTS -> "There were too many attempts. Wait a minute, and try again.";
            case SERVICE_UNAVAILABLE -> "The server is too busy, and did nothing. Wait a moment, and try again.";
            default ->
                code.is5xxServerError()
                        ? "The request failed because of an error in the server."
                        : "The server does not understand this request.";
        };
    }

    private static HttpStatus status(HttpServletRequest request) {
        if (request.getDispatcherType() != DispatcherType.ERROR) {
            return HttpStatus.NOT_FOUND; // not for direct requests
        }
        HttpStatus status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
                ? HttpStatus.resolve(code)
                : null;
        return status != null ? status : HttpStatus.INTERNAL_SERVER_ERROR;
    }
}
