package dev.ttlstore.sample.web;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

import org.springframework.context.annotation.Bean;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Mustache.TemplateLoader;

/** The attributes that the layout of every page needs. */
@ControllerAdvice(annotations = Page.class)
class PageAttributes {

    private static final DateTimeFormatter READABLE = DateTimeFormatter.ofPattern(
                    "d MMM yyyy, HH:mm:ss 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** Reads the token before the page is rendered, because its cookie is a header. */
    @ModelAttribute("csrf")
    String csrf(CsrfToken token) {
        return token.getToken();
    }

    /** Formats times for readers without the script, which replaces them by times in the reader's zone. */
    @ModelAttribute("readable")
    Mustache.Lambda readable() {
        return (fragment, out) -> out.write(READABLE.format(Instant.parse(fragment.execute())));
    }

    /** Replaces Boot's compiler, which fails for a name that is not in the model. Not every page has a team. */
    @Bean
    static Mustache.Compiler mustacheCompiler(TemplateLoader loader) {
        return Mustache.compiler()
                .withLoader(loader)
                .emptyStringIsFalse(true)
                .zeroIsFalse(true)
                .defaultValue("");
    }
}
