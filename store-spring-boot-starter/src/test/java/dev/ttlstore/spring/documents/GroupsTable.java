package dev.ttlstore.spring.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Makes the table of the groups that the starter's features use, from the constants with their names. */
final class GroupsTable {

    private static final Pattern NAME = Pattern.compile(
            "static final String (?:\\w*GROUP|INDEX|PREFIX|RENAMED|SESSIONS|TOKENS|USERS) = \"([a-z.-]+)\"");

    /** The page about the features of a package. */
    private static final Map<String, String> PAGES = Map.of(
            "cache", "caches",
            "chatmemory", "integration-and-ai",
            "idempotency", "idempotent-requests",
            "lock", "locks",
            "messagestore", "integration-and-ai",
            "metadata", "integration-and-ai",
            "ratelimit", "rate-limits",
            "security", "security",
            "session", "sessions");

    private GroupsTable() {}

    static String text() {
        Map<String, String> pages = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java/dev/ttlstore/spring"))) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                String page = PAGES.get(file.getName(file.getNameCount() - 2).toString());
                Matcher name = NAME.matcher(GeneratedTable.read(file));
                while (page != null && name.find()) {
                    pages.put(name.group(1), page);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringBuilder table = new StringBuilder("\n| Group | Feature |\n|---|---|\n");
        pages.forEach((group, page) -> table.append("| `%s` | [%s](%s.md) |\n"
                .formatted(group.endsWith(".") ? group + "<name>" : group, PropertiesPage.heading(page), page)));
        return table.append('\n').toString();
    }
}
