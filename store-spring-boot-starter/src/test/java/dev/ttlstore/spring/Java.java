package dev.ttlstore.spring;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Other processes with the class path of the tests. */
public final class Java {

    private Java() {}

    /** Starts a program; it prints to what the process returns. */
    public static Process start(List<String> options, Class<?> program, String... arguments) throws IOException {
        return startWithout(List.of(), options, program, arguments);
    }

    /** Starts a program without some libraries: those whose files start with these names. */
    public static Process startWithout(
            List<String> leftOut, List<String> options, Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(leftOut), program.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String classPath(List<String> leftOut) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> leftOut.stream()
                        .noneMatch(
                                name -> Path.of(entry).getFileName().toString().startsWith(name)))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
