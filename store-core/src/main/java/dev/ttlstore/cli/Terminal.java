package dev.ttlstore.cli;

import java.io.Console;

/** What people see the output on. */
final class Terminal {

    private static final int USUAL_WIDTH = 80;

    private Terminal() {}

    /** Returns the width of the terminal; 0 if the output goes elsewhere. */
    @SuppressWarnings("SystemConsoleNull") // newer JDKs are asked
    static int width() {
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
