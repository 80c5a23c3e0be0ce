package dev.ttlstore.spring.documents;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** The commands of a page for an application at port 8080, as a reader pastes them into a shell. */
public final class PageCommands {

    private static final Pattern SHELL = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);
    private static final String ADDRESS = "localhost:8080";

    private PageCommands() {}

    /**
     * Runs the commands of a page that call the application.
     *
     * @param page the page
     * @param port the port of the application
     * @param folder the working directory
     * @return what they print
     */
    public static String run(Path page, String port, Path folder) throws IOException, InterruptedException {
        assumeThat(Path.of("/bin/bash")).exists();
        assumeThat(Path.of("/usr/bin/curl")).exists();
        String commands = SHELL.matcher(Files.readString(page))
                .results()
                .map((MatchResult match) -> match.group(1))
                .filter(text -> text.contains("curl") && text.contains(ADDRESS + "/"))
                .reduce("", String::concat);
        assertThat(commands).as("commands of %s", page).isNotEmpty();
        Process shell = new ProcessBuilder("/bin/bash", "-c", commands.replace(ADDRESS, "localhost:" + port))
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as("exit code of %s", commands).isZero();
        return output;
    }
}
