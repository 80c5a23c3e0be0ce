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
 * A block of code in a page or in Javadoc. In a page, a comment {@code <!-- given … -->} right before the block has what the example
 * builds on, and a comment {@code <!-- then … -->} right after it what holds at its end. Readers of the page do not see this code.
 *
 * @param page the page or the source, relative to the module
 * @param line the line of the page where the code begins
 * @param language the language of the block
 * @param given what is executed before it
 * @param code the block
 * @param then what is executed after it
 */
record Snippet(Path page, int line, String language, String given, String code, String then) {

    private static final Pattern BLOCK = Pattern.compile(
            "(?:^<!-- given\\n(?<given>(?:(?!-->\\n).)*)-->\\n\\n?)?"
                    + "^```(?<language>\\w+)\\n(?<code>.*?)^```\\n"
                    + "(?:\\n?<!-- then\\n(?<then>(?:(?!-->\\n).)*)-->\\n)?",
            Pattern.DOTALL | Pattern.MULTILINE);

    /** Returns the blocks of a page, in order. */
    static List<Snippet> of(Path page) throws IOException {
        String text = Files.readString(page);
        Matcher matcher = BLOCK.matcher(text);
        List<Snippet> snippets = new ArrayList<>();
        while (matcher.find()) {
            int line = (int) text.substring(0, matcher.start("code")).lines().count() + 1;
            snippets.add(new Snippet(
                    page,
                    line,
                    matcher.group("language"),
                    orEmpty(matcher.group("given")),
                    matcher.group("code"),
                    orEmpty(matcher.group("then"))));
        }
        return snippets;
    }

    /** Returns the example with other code in as many lines. */
    Snippet withCode(String other) {
        return new Snippet(page, line, language, given, other, then);
    }

    /** Whether it is a whole file, and not the middle of a method. */
    boolean isWholeFile() {
        return code.startsWith("import ");
    }

    /** The name of its class. */
    String className() {
        if (isWholeFile()) {
            Matcher matcher =
                    Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+)").matcher(code);
            return matcher.find() ? matcher.group(1) : "none";
        }
        return page.getFileName().toString().replaceAll("\\W", "_") + "_" + line;
    }

    @Override
    public String toString() {
        return page + ", line " + line;
    }

    private static String orEmpty(@Nullable String group) {
        return group == null ? "" : group;
    }
}
