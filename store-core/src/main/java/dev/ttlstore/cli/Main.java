package dev.ttlstore.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

/**
 * The command line. {@code java -cp … dev.ttlstore.cli.Main help} lists the commands.
 *
 * <p>Exit codes: 0 for success, 1 if a command has failed, 2 for wrong arguments, and 3 if {@code check} has found something, or
 * {@code repair} has not saved everything. A process that is interrupted by Ctrl+C ends with 130, and running the command again does no
 * harm.
 *
 * @since 0.1
 * @see dev.ttlstore.Store
 */
public final class Main {

    private static final int USUAL_WIDTH = 80;

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
            code = Program.run(System.in, new FileOutputStream(FileDescriptor.out), System.err, width(), args);
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

    /** Returns the width of the terminal; 0 if the output goes elsewhere. */
    @SuppressWarnings("SystemConsoleNull") // newer JDKs are asked
    private static int width() {
        Console console = System.console();
        if (console == null || !isTerminal(console)) {
            return 0;
        }
        String columns = System.getenv("COLUMNS");
        return columns != null && columns.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(columns) : USUAL_WIDTH;
    }

    /** Asks newer JDKs, which have a console without a terminal as well. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true; // before JDK 22
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
