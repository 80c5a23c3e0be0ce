package dev.ttlstore.cli;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;

import picocli.CommandLine;

/** Runs commands for tests of other packages. */
public final class CommandLines {

    private CommandLines() {}

    /** Runs a command. Returns its exit code. One with a database is only parsed, and succeeds if it can be. */
    public static int run(OutputStream err, String... arguments) {
        OutputStream out = OutputStream.nullOutputStream();
        if (String.join(" ", arguments).contains("jdbc:")) {
            Output output = new Output(out, new PrintWriter(out), new PrintWriter(out), 0);
            Object unused = new CommandLine(new Commands(InputStream.nullInputStream(), output)).parseArgs(arguments);
            return 0;
        }
        return Program.run(InputStream.nullInputStream(), out, err, 0, arguments);
    }
}
