package dev.ttlstore.sample;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Shows errors as pages to browsers. {@link Problems} answers all other clients. */
@ControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class PageProblems {

    @ExceptionHandler(exception = NoResourceFoundException.class, produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView noSuchPage() {
        return page(HttpStatus.NOT_FOUND, "Page not found", "The address may be incomplete or mistyped.");
    }

    @ExceptionHandler(exception = InvalidRequestException.class, produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView noSuchTeam() {
        return page(
                HttpStatus.BAD_REQUEST,
                "This is not a valid team name",
                "A team name has 1 to 64 letters, digits or hyphens.");
    }

    static ModelAndView page(HttpStatus status, String title, String detail) {
        ModelAndView page = new ModelAndView("problem", status);
        page.addObject("team", ""); // the name in the address may be invalid
        page.addObject("title", title);
        page.addObject("detail", detail);
        return page;
    }
}
