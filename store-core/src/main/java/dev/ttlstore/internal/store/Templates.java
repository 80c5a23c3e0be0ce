package dev.ttlstore.internal.store;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
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

    /**
     * Finds the tags of a template as JMustache does, which renders a tag without an end as text and reports nothing.
     * Whatever else is wrong with a tag is left to JMustache.
     */
    private static final class Tags {

        private final String template;

        private String start = "{{";
        private String end = "}}";

        private Tags(String template) {
            this.template = template;
        }

        /**
         * Checks that each tag ends.
         *
         * @throws TemplateException if a tag has no end, or another one starts before it
         */
        private void requireEnds() {
            int tag = template.indexOf(start);
            while (tag >= 0) {
                int from = tag + start.length();
                int to = template.indexOf(end, from);
                if (to < 0 || startsAnother(from, to)) {
                    throw noEnd(tag);
                }
                int next = to + end.length();
                if (template.startsWith("=", from)) {
                    if (!changeDelimiters(template.substring(from + 1, Math.max(from + 1, to - 1)))) {
                        return; // JMustache says why
                    }
                } else if (isTriple(from)) {
                    next++;
                }
                tag = template.indexOf(start, next);
            }
        }

        /** Whether JMustache gives up a tag in favor of another one. A comment may have any text. */
        private boolean startsAnother(int from, int to) {
            if (template.startsWith("!", from) || start.charAt(0) == end.charAt(0)) {
                return false;
            }
            int another = template.indexOf(start.charAt(0), from + 1);
            return another >= 0 && another < to;
        }

        private boolean isTriple(int from) {
            return start.equals("{{") && end.equals("}}") && template.startsWith("{", from);
        }

        private boolean changeDelimiters(String delimiters) {
            String[] both = delimiters.split(" ", 0);
            if (both.length != 2 || !isDelimiter(both[0]) || !isDelimiter(both[1])) {
                return false;
            }
            start = both[0];
            end = both[1];
            return true;
        }

        private static boolean isDelimiter(String text) {
            return text.length() == 1 || text.length() == 2;
        }

        private TemplateException noEnd(int tag) {
            int line =
                    1 + (int) template.chars().limit(tag).filter(c -> c == '\n').count();
            int column = tag - template.lastIndexOf('\n', tag);
            return new TemplateException(
                    "The tag in line " + line + ", column " + column + " starts with '" + start + "' but has no '" + end
                            + "' before the next '" + start.charAt(0)
                            + "' or the end of the template; close it, or change the delimiters if it is meant as text:"
                            + " {{=<% %>=}}",
                    line,
                    null,
                    null);
        }
    }

    /** A class of its own, so that the class around it can be loaded without the library. */
    private static final class Rendering {

        private static final Mustache.Compiler LENIENT = compiler().defaultValue("");
        private static final Mustache.Compiler STRICT = compiler().strictSections(true);

        private static Mustache.Compiler compiler() {
            return Mustache.compiler().escapeHTML(false).withCollector(new EntriesAlone());
        }

        static String render(String template, Map<String, String> values, boolean strict) {
            new Tags(template).requireEnds();
            try {
                return (strict ? STRICT : LENIENT).compile(template).execute(new Entries(values, strict));
            } catch (MustacheException.Context e) {
                String name = Entries.withoutDot(e.key);
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

    /**
     * The entries of a group by the names that a template has for them. A map in its place would also offer its own
     * methods.
     *
     * @param strict whether a missing entry is an error
     */
    private record Entries(Map<String, String> values, boolean strict) implements Mustache.CustomContext {

        private static final String PAIRS = "-entries";
        private static final String KEY = "-key";
        private static final String VALUE = "-value";
        private static final Pairs NOTHING = new Pairs(Map.of());

        @Override
        public @Nullable Object get(String name) {
            if (name.equals(PAIRS)) {
                return new Pairs(values);
            }
            String value = values.get(name);
            return value == null && name.startsWith(".") ? afterDot(name) : value;
        }

        /** Always has a result, because JMustache would take a leading dot for a path and look up the name before it. */
        private Object afterDot(String name) {
            String key = withoutDot(name);
            String value = values.get(key);
            if (value == null && strict) {
                throw new NoSuchElementException(key);
            }
            return value == null ? NOTHING : value;
        }

        /** {@return the key that a name stands for if no entry has the name itself as its key} */
        static String withoutDot(String name) {
            return name.startsWith(".") ? name.substring(1) : name;
        }

        /** The result for a template that asks for all entries at once. */
        @Override
        public String toString() {
            return "";
        }

        /** What a section walks over. Without pairs, it is nothing to a variable and to a section. */
        private record Pairs(Map<String, String> values) implements Iterable<Pair> {

            @Override
            public Iterator<Pair> iterator() {
                return values.entrySet().stream()
                        .map(entry -> new Pair(entry.getKey(), entry.getValue()))
                        .iterator();
            }

            @Override
            public String toString() {
                return "";
            }
        }

        /** A pair within such a section. Other names are those of the group. */
        private record Pair(String key, String value) implements Mustache.CustomContext {

            @Override
            public @Nullable Object get(String name) {
                return switch (name) {
                    case KEY -> key;
                    case VALUE -> value;
                    default -> null;
                };
            }

            @Override
            public String toString() {
                return "";
            }
        }
    }
}
