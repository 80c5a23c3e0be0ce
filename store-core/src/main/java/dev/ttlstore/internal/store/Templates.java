package dev.ttlstore.internal.store;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.samskivert.mustache.BasicCollector;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.MustacheParseException;

import dev.ttlstore.exception.MissingLibraryException;
import dev.ttlstore.exception.TemplateException;

/** Renders templates with JMustache, which is loaded with the first template. */
final class Templates {

    private static final Pattern NAME = Pattern.compile("'([^']+)'");
    private static final Pattern LINE = Pattern.compile("@ line (\\d+)");

    private Templates() {}

    static String render(String template, Map<String, String> values, boolean strict) {
        Objects.requireNonNull(template, "'template' must not be null");
        try {
            return Rendering.render(template, values, strict);
        } catch (NoClassDefFoundError e) {
            throw new MissingLibraryException(
                    "com.samskivert:jmustache",
                    "Templates need JMustache, which is not on the class path",
                    "Add com.samskivert:jmustache",
                    e);
        }
    }

    /** Finds the line in the parser's message, which is the only place that has it and the name. */
    private static int line(MustacheParseException e) {
        Matcher line = LINE.matcher(String.valueOf(e.getMessage()));
        return line.find() ? Integer.parseInt(line.group(1)) : 0;
    }

    private static @Nullable String name(MustacheParseException e) {
        Matcher name = NAME.matcher(String.valueOf(e.getMessage()));
        return name.find() ? name.group(1) : null;
    }

    /** A class of its own, so that the class around it can be loaded without the library. */
    private static final class Rendering {

        private static final Mustache.Compiler LENIENT = compiler().defaultValue("");
        private static final Mustache.Compiler STRICT = compiler().strictSections(true);

        private static Mustache.Compiler compiler() {
            return Mustache.compiler().escapeHTML(false).withCollector(new EntriesAlone());
        }

        static String render(String template, Map<String, String> values, boolean strict) {
            TemplateTags.requireEnds(template);
            try {
                return (strict ? STRICT : LENIENT).compile(template).execute(new TemplateEntries(values, strict));
            } catch (MustacheException.Context e) {
                String name = TemplateEntries.withoutDot(e.key);
                throw new TemplateException(
                        "The template names '" + name + "' in line " + e.lineNo
                                + ", but the group has no such entry; put one, or use render(…), which leaves it out",
                        e.lineNo,
                        name,
                        e);
            } catch (MustacheParseException e) {
                throw new TemplateException("The template is malformed: " + e.getMessage(), line(e), name(e), e);
            } catch (MustacheException e) {
                throw new TemplateException("The template cannot be rendered: " + e.getMessage(), 0, null, e);
            } catch (RuntimeException | StackOverflowError e) { // how the parser reacts to an empty tag or a partial
                throw new TemplateException(
                        "The template has an empty tag, a partial, or sections nested too deeply; none of these"
                                + " can be rendered",
                        0,
                        null,
                        e);
            }
        }
    }

    /** Finds entries only. The default would also find the methods and fields of a text. */
    private static final class EntriesAlone extends BasicCollector {

        @Override
        public <K, V> Map<K, V> createFetcherCache() {
            return new ConcurrentHashMap<>();
        }
    }
}
