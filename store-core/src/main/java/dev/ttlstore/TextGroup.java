package dev.ttlstore;

import java.util.List;
import java.util.Optional;

import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.exception.TemplateException;

/**
 * A group of texts, stored as UTF-8.
 *
 * <pre>{@code
 * TextGroup texts = store.group("texts");
 * texts.put("name", "Anna");
 * String greeting = texts.render("Hello {{name}}");
 * }</pre>
 *
 * @since 0.1
 * @see Keyspace#group(String)
 * @see Group
 */
public interface TextGroup extends Group<String> {

    /**
     * Splits the live text at a separator.
     *
     * @param key the key
     * @param separator the literal separator, which is not a pattern and not empty
     * @return the parts in order, including empty ones; one part if the text has no separator; empty if there is no
     *     live entry
     * @throws IllegalArgumentException if the separator is empty
     */
    Optional<List<String>> split(String key, String separator);

    /**
     * Splits the live text at white space.
     *
     * @param key the key
     * @return the parts in order, none of them empty; empty if there is no live entry
     */
    Optional<List<String>> fields(String key);

    /**
     * Renders a Mustache template. {@code {{key}}} becomes the text of the live entry, unchanged: HTML characters are
     * not escaped, and tags within the text stay text. A missing entry becomes nothing. All entries are read from one
     * snapshot. Needs {@code com.samskivert:jmustache}.
     *
     * <p>A name may start with a dot: {@code {{.key}}} is {@code {{key}}}, unless there is an entry whose key is
     * {@code .key}. The dot alone is Mustache's current element: the text of the section around it, and nothing
     * elsewhere.
     *
     * <p>The section {@code {{#-entries}}{{-key}}={{-value}} {{/-entries}}} walks over all pairs of the group in the
     * order of the keys. {@code {{^-entries}}} is shown if the group is empty. {@code -index}, which counts from 1,
     * {@code -first} and {@code -last} say where in the walk a pair is. These names never stand for an entry;
     * {@code -key} and {@code -value} do so outside the section only. To name an entry with such a key, put a dot
     * before it: {@code {{.-key}}}.
     *
     * @param template the template
     * @return the text
     * @throws TemplateException if the template is malformed, for example if a tag is not closed
     * @throws MissingLibraryException if JMustache is not on the class path
     */
    String render(String template);

    /**
     * Renders a Mustache template as {@link #render} does, but throws if the template names a missing entry.
     *
     * @param template the template
     * @return the text
     * @throws TemplateException if the template is malformed, or an entry is missing
     * @throws MissingLibraryException if JMustache is not on the class path
     */
    String renderStrict(String template);
}
