package dev.ttlstore;

import java.util.List;
import java.util.Optional;

import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.exception.TemplateException;

/** A group of texts, kept as UTF-8. */
public interface TextGroup extends Group<String> {

    /**
     * Reads a text and splits it.
     *
     * @param key the key
     * @param separator what divides the parts, as it is: no pattern, and not empty
     * @return the parts, also empty ones, in order; one part if the separator is not there; empty if there is no live entry
     * @throws IllegalArgumentException if the separator is empty
     */
    Optional<List<String>> split(String key, String separator);

    /**
     * Reads a text and splits it where there is white space.
     *
     * @param key the key
     * @return the parts, none of them empty, in order; empty if there is no live entry
     */
    Optional<List<String>> fields(String key);

    /**
     * Fills in a Mustache template: {@code {{key}}} becomes the live entry's text, as it is, without HTML escapes; a key
     * that is not there becomes nothing. All entries are read at one moment. Needs {@code com.samskivert:jmustache}.
     *
     * @param template the template
     * @return the text
     * @throws TemplateException if the template is malformed
     * @throws MissingLibraryException if JMustache is not on the class path
     */
    String render(String template);

    /**
     * Fills in a Mustache template as {@link #render} does, but refuses one that names a key which is not there.
     *
     * @param template the template
     * @return the text
     * @throws TemplateException if the template is malformed, or a key is not there
     * @throws MissingLibraryException if JMustache is not on the class path
     */
    String renderStrict(String template);
}
