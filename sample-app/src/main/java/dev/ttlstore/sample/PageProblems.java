package dev.ttlstore.sample;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Errors as pages, for browsers; all others are told by {@link Problems}. */
@ControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class PageProblems {

    @ExceptionHandler(exception = NoResourceFoundException.class, produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView noSuchPage() {
        return page(HttpStatus.NOT_FOUND, "There is no such page", "The address may have been cut off, or mistyped.");
    }

    @ExceptionHandler(exception = InvalidRequestException.class, produces = MediaType.TEXT_HTML_VALUE)
    ModelAndView noSuchTeam() {
        return page(
                HttpStatus.BAD_REQUEST,
                "No team can have this name",
                "Names of teams are 1 to 64 letters, digits or hyphens.");
    }

    static ModelAndView page(HttpStatus status, String title, String detail) {
        ModelAndView page = new ModelAndView("problem", status);
        page.addObject("team", ""); // that of the address, which may be none
        page.addObject("title", title);
        page.addObject("detail", detail);
        return page;
    }
}
