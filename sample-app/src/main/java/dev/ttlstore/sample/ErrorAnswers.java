package dev.ttlstore.sample;

import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Answers requests that reach no handler: those that a filter refuses, for example for a missing token, and those
 * that the server aborts. The answer says no more than the status.
 */
@Controller
@RequestMapping("${spring.web.error.path:/error}")
class ErrorAnswers implements ErrorController {

    private final StatusDetail details;

    ErrorAnswers(StatusDetail details) {
        this.details = details;
    }

    @RequestMapping(produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView page(HttpServletRequest request) {
        HttpStatus status = status(request);
        return PageProblems.page(status, status.getReasonPhrase(), details.of(status));
    }

    @RequestMapping
    ResponseEntity<ProblemDetail> problem(HttpServletRequest request) {
        HttpStatus status = status(request);
        return ResponseEntity.status(status).body(ProblemDetail.forStatusAndDetail(status, details.of(status)));
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
