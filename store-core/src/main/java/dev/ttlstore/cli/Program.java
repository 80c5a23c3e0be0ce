package dev.ttlstore.cli;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.ttlstore.exception.Printable;
import dev.ttlstore.exception.StoreException;

import picocli.CommandLine;

/** Runs a command, and reports its failure. */
final class Program {

    private static final List<String> PASSWORDS = List.of("--password", "--to-password");

    private Program() {}

    /**
     * Runs a command.
     *
     * @param width the width of the terminal; 0 if there is none
     * @return the exit code
     */
    static int run(InputStream stdin, OutputStream stdout, OutputStream stderr, int width, String... args) {
        PrintWriter out = new PrintWriter(stdout, true, Charset.defaultCharset());
        PrintWriter err = new PrintWriter(stderr, true, Charset.defaultCharset());
        Commands commands = new Commands(stdin, new Output(stdout, out, err, width));
        CommandLine line = new CommandLine(commands).setOut(out).setErr(err);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            report(failure, err, commands.isVerbose());
            // Of what the store rejects as wrong, all has come from the command line.
            return failure instanceof IllegalArgumentException
                    ? CommandLine.ExitCode.USAGE
                    : CommandLine.ExitCode.SOFTWARE;
        });
        line.setParameterExceptionHandler(Program::refuse);
        line.registerConverter(Path.class, StoreLocation::path);
        int code = line.execute(args);
        if (code == CommandLine.ExitCode.OK && out.checkError()) {
            err.println("Failed: the standard output cannot be written");
            return CommandLine.ExitCode.SOFTWARE;
        }
        return code;
    }

    /** Does what picocli does, but quotes no password. */
    private static int refuse(CommandLine.ParameterException failure, String... args) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        String message = String.valueOf(failure.getMessage());
        err.println(
                hasSecret(message, args)
                        ? "An argument is not one of this command, or is wrong. It is not shown, because it is a URL or may be a"
                                + " password. The option --password has no value: it asks for the password"
                        : Printable.of(message));
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, err)) {
            command.usage(err);
        }
        return CommandLine.ExitCode.USAGE;
    }

    private static void report(Exception failure, PrintWriter err, boolean verbose) {
        if (failure instanceof StoreException store) {
            err.println("Failed: " + store.problem() + ".");
            if (store.remedy() != null) {
                err.println("What to do: " + store.remedy() + ".");
            }
        } else if (failure.getCause() instanceof NoClassDefFoundError missing) {
            err.println("Failed: a library is missing on the class path (" + missing.getMessage()
                    + "). Exports and imports need tools.jackson.core:jackson-core, and a database needs"
                    + " com.zaxxer:HikariCP and org.postgresql:postgresql");
        } else {
            err.println("Failed: "
                    + Printable.of(failure.getMessage() == null ? failure.toString() : failure.getMessage()));
        }
        if (verbose) {
            printTrace(failure, err);
        } else if (failure.getMessage() == null) {
            err.println("With --stacktrace you see where.");
        }
        err.flush();
    }

    private static void printTrace(Exception failure, PrintWriter err) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        trace.toString().lines().forEach(line -> {
            String indented = line.stripLeading();
            err.println(line.startsWith("\t") ? "\t" + Printable.of(indented) : Printable.of(line));
        });
    }

    /**
     * Tests whether a message quotes a URL or a password of the arguments. It must not, because it may end in the log of a scheduler.
     */
    static boolean hasSecret(String message, String... args) {
        return secrets(args).stream().anyMatch(message::contains);
    }

    private static List<String> secrets(String... args) {
        List<String> secrets = new ArrayList<>();
        boolean afterPassword = false;
        for (String arg : args) {
            int sign = arg.indexOf('=');
            String value = arg.startsWith("-") && sign > 0 ? arg.substring(sign + 1) : arg;
            boolean isOption = arg.startsWith("-") && sign < 0;
            if (!value.isEmpty()
                    && (StoreLocation.isUrl(value)
                            || (afterPassword && !isOption)
                            || (sign > 0 && PASSWORDS.contains(arg.substring(0, sign))))) {
                secrets.add(value);
            }
            afterPassword = PASSWORDS.contains(arg);
        }
        return secrets;
    }
}
