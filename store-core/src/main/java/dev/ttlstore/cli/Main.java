package dev.ttlstore.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;

/**
 * The command line. {@code java -cp … dev.ttlstore.cli.Main help} lists the commands.
 *
 * <p>Exit codes: 0 for success, 1 if a command has failed, 2 for wrong arguments, and 3 if {@code check} has found something, or
 * {@code repair} has not saved everything. A process that is interrupted by Ctrl+C ends with 130, and running the command again does no
 * harm.
 */
public final class Main {

    private Main() {}

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param args the command and its options
     */
    public static void main(String[] args) {
        quieten();
        int code;
        try {
            // Not System.out, which swallows failures.
            code = Program.run(System.in, new FileOutputStream(FileDescriptor.out), System.err, Terminal.width(), args);
        } catch (NoClassDefFoundError e) {
            System.err.println(
                    "Failed: the command line needs info.picocli:picocli on the class path (" + e.getMessage() + ")");
            code = 1;
        }
        System.exit(code);
    }

    /** Lets Logback write warnings only, and to the standard error, unless it is configured. */
    private static void quieten() {
        String property = "logback.configurationFile";
        if (System.getProperty(property) == null) {
            System.setProperty(property, "dev/ttlstore/cli/logback.xml");
        }
    }
}
