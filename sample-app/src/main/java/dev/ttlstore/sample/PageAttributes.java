package dev.ttlstore.sample;

import org.springframework.context.annotation.Bean;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Mustache.TemplateLoader;

/** What the layout of every page needs. */
@ControllerAdvice(annotations = Page.class)
class PageAttributes {

    /** The token is taken before the page is begun, for the cookie that belongs to it is a header. */
    @ModelAttribute("csrf")
    String csrf(CsrfToken token) {
        return token.getToken();
    }

    /** In place of Boot's, for which a name that is not in the model is an error: not every page is one of a team. */
    @Bean
    static Mustache.Compiler mustacheCompiler(TemplateLoader loader) {
        return Mustache.compiler().withLoader(loader).emptyStringIsFalse(true).defaultValue("");
    }
}
