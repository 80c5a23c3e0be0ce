package dev.ttlstore.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import dev.ttlstore.exception.Printable;
import dev.ttlstore.verification.Finding;

/**
 * Where a command writes to.
 *
 * @param stream takes exported lines
 * @param out takes results
 * @param err takes progress and problems
 * @param width the width of the terminal; 0 if there is none
 */
record Output(OutputStream stream, PrintWriter out, PrintWriter err, int width) {

    ProgressBar bar(boolean quiet, String unit) {
        return new ProgressBar(err, quiet ? ProgressBar.SILENT : width, unit, System::nanoTime);
    }

    /** Prints a line of a result. */
    void say(String format, Object... values) {
        out.println(Printable.of(String.format(Locale.ROOT, format, values)));
    }

    /** Lists what was found, without repeating what is to be done about each kind. */
    void list(List<Finding> findings, long total) {
        Set<Finding.Kind> explained = EnumSet.noneOf(Finding.Kind.class);
        for (Finding found : findings) {
            String where = found.group() == null ? "" : " group '" + found.group() + "'";
            String key = found.key() == null ? "" : " key '" + found.key() + "'";
            say("%s%s%s: %s", found.kind(), where, key, found.problem());
            if (explained.add(found.kind())) {
                say("  what to do: %s", found.remedy());
            }
        }
        if (total > findings.size()) {
            say("… and %,d more", total - findings.size());
        }
    }
}
