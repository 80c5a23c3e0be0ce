package dev.ttlstore.cli;

import java.io.OutputStream;
import java.io.PrintWriter;

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
}
