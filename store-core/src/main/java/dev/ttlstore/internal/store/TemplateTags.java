package dev.ttlstore.internal.store;

import dev.ttlstore.exception.TemplateException;

/**
 * Finds the tags of a template as JMustache does, which renders a tag without an end as text and reports nothing.
 * Whatever else is wrong with a tag is left to JMustache.
 */
final class TemplateTags {

    private final String template;

    private String start = "{{";
    private String end = "}}";

    private TemplateTags(String template) {
        this.template = template;
    }

    /**
     * Checks that each tag ends.
     *
     * @throws TemplateException if a tag has no end, or another one starts before it
     */
    static void requireEnds(String template) {
        new TemplateTags(template).requireEnds();
    }

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
        int line = 1 + (int) template.chars().limit(tag).filter(c -> c == '\n').count();
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
