package dev.ttlstore.sample.web;

import org.springframework.context.annotation.Bean;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Mustache.TemplateLoader;

/** The attributes that the layout of every page needs. */
@ControllerAdvice(annotations = Page.class)
class PageAttributes {

    /** Reads the token before the page is rendered, because its cookie is a header. */
    @ModelAttribute("csrf")
    String csrf(CsrfToken token) {
        return token.getToken();
    }

    /** Replaces Boot's compiler, which fails for a name that is not in the model. Not every page has a team. */
    @Bean
    static Mustache.Compiler mustacheCompiler(TemplateLoader loader) {
        return Mustache.compiler().withLoader(loader).emptyStringIsFalse(true).defaultValue("");
    }
}
