package dev.ttlstore.sample.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Markdown file of the project.
 *
 * @param name its path from the root of the project, with slashes
 * @param text its text
 */
record Document(String name, String text) {

    /** The folder of the project, from that of a module. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Set<String> WITHOUT_DOCUMENTS = Set.of("target", ".git", "data");
    private static final Pattern FENCE = Pattern.compile("^( *)```(\\S*)\\n(.*?)^\\1```$", flags());
    private static final Pattern GENERATED =
            Pattern.compile("<!-- generated -->.*?<!-- end of what is generated -->", flags());
    /** What a reader does not see, such as what an example finds around it when it is run. */
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", flags());

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)|(?:src|href)=\"([^\"]+)\"");
    private static final Pattern INDENTED = Pattern.compile("\\n\\n {4}(\\S[^\\n]*)");
    private static final Pattern COMMAND = Pattern.compile("`(mvn (?:(?!\\n\\n)[^`])*)`");
    private static final Pattern HEADING = Pattern.compile("^#+ ([^\\n]+)$", flags());

    private static int flags() {
        return Pattern.DOTALL | Pattern.MULTILINE;
    }

    static Document of(Path file) {
        return new Document(nameOf(file), read(file));
    }

    /** Returns the path of a file from the root of the project, with slashes. */
    static String nameOf(Path file) {
        return ROOT.relativize(file.toAbsolutePath().normalize()).toString().replace('\\', '/');
    }

    /** Returns all Markdown files, by their names. */
    static List<Document> all() {
        return files(".md").stream().map(Document::of).toList();
    }

    /** Returns the files of the project whose names end so, without what is built or downloaded. */
    static List<Path> files(String end) {
        List<Path> found = new ArrayList<>();
        collect(ROOT, end, found);
        return found;
    }

    private static void collect(Path folder, String end, List<Path> found) {
        try (Stream<Path> children = Files.list(folder)) {
            for (Path child : children.sorted().toList()) {
                if (!Files.isDirectory(child)) {
                    if (child.getFileName().toString().endsWith(end)) {
                        found.add(child);
                    }
                } else if (!WITHOUT_DOCUMENTS.contains(child.getFileName().toString())) {
                    collect(child, end, found);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file() {
        return ROOT.resolve(name);
    }

    /** An example: its language, its text, and its line, or 0 if it is in a sentence. */
    record Block(Document document, String language, String text, int line) {

        @Override
        public String toString() {
            return document.name + (line == 0 ? ": " + text : ":" + line);
        }
    }

    List<Block> blocks(String... languages) {
        List<String> wanted = List.of(languages);
        return FENCE.matcher(text)
                .results()
                .map(match -> new Block(this, match.group(2), match.group(3).stripIndent(), lineAt(match.start())))
                .filter(block -> wanted.isEmpty() || wanted.contains(block.language))
                .toList();
    }

    /** Returns the commands in sentences and tables. */
    List<Block> commandsInText() {
        return COMMAND.matcher(FENCE.matcher(text).replaceAll(""))
                .results()
                .map(match -> new Block(this, "sh", match.group(1).replaceAll("\\s+", " "), 0))
                .toList();
    }

    private int lineAt(int position) {
        return 1
                + (int) text.substring(0, position)
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
    }

    /** Returns the first lines of examples that have no fence, but four spaces before them. */
    List<String> indented() {
        return INDENTED.matcher(FENCE.matcher(text).replaceAll(""))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    /** Returns the targets of the links outside of examples. */
    List<String> links() {
        return LINK.matcher(withoutCode())
                .results()
                .map(match -> match.group(1) == null ? match.group(2) : match.group(1))
                .toList();
    }

    /** Returns the anchors of the headings, as GitHub makes them. */
    List<String> anchors() {
        List<String> anchors = new ArrayList<>();
        for (String heading : headings()) {
            String anchor = heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            anchors.add(anchors.contains(anchor) ? anchor + "-1" : anchor);
        }
        return anchors;
    }

    List<String> headings() {
        return HEADING.matcher(FENCE.matcher(text).replaceAll(""))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private String withoutCode() {
        return FENCE.matcher(text).replaceAll("").replaceAll("`[^`\\n]*`", "");
    }

    /** Returns the number of words, with those in examples, without generated tables and comments. The frame of a table has no words. */
    int words() {
        return (int) Stream.of(COMMENT.matcher(GENERATED.matcher(text).replaceAll(""))
                        .replaceAll("")
                        .split("\\s+"))
                .filter(word -> word.codePoints().anyMatch(Character::isLetterOrDigit))
                .count();
    }

    /** Returns the rows of tables outside of what is generated. */
    List<String> rows() {
        return FENCE.matcher(GENERATED.matcher(text).replaceAll(""))
                .replaceAll("")
                .lines()
                .filter(line -> line.startsWith("|"))
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
