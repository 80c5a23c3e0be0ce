package dev.ttlstore.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Finds the examples in the Javadoc of a source. An example without a language is Java:
 *
 * <pre>
 * &lt;pre>{&#64;code
 * &lt;pre class="language-json">{&#64;code
 * </pre>
 */
final class JavadocSnippets {

    private static final Pattern ANY = Pattern.compile("^\\s*/?\\*.*(?:<pre|\\{@snippet)");
    private static final Pattern START =
            Pattern.compile("^\\s*\\* <pre(?: class=\"language-(?<language>json|shell|sql|xml|yaml)\")?>\\{@code$");
    private static final Pattern END = Pattern.compile("^\\s*\\* }</pre>$");

    private JavadocSnippets() {}

    /**
     * Returns the examples of a source, in order.
     *
     * @throws AssertionError if an example has another form, so that none is left out by mistake
     */
    static List<Snippet> of(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<Snippet> snippets = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (ANY.matcher(lines.get(i)).find()) {
                Matcher start = START.matcher(lines.get(i));
                int end = i + 1;
                while (end < lines.size() && !END.matcher(lines.get(end)).matches()) {
                    end++;
                }
                if (!start.matches() || end == lines.size()) {
                    throw new AssertionError(file + ":" + (i + 1) + ": an example starts with a line <pre>{@code, or"
                            + " <pre class=\"language-json\">{@code for json, shell, sql, xml or yaml, and ends with a"
                            + " line }</pre>");
                }
                snippets.add(new Snippet(
                        file, i + 2, language(start.group("language")), "", code(lines.subList(i + 1, end)), ""));
                i = end;
            }
        }
        return snippets;
    }

    private static String language(@Nullable String language) {
        return language == null ? "java" : language;
    }

    private static String code(List<String> lines) {
        StringBuilder code = new StringBuilder();
        lines.forEach(line -> code.append(line.replaceFirst("^\\s*\\* ?", "")).append('\n'));
        return code.toString();
    }
}
