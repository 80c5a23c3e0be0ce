/**
 * Holds the command line for operators, which {@link dev.ttlstore.cli.Main} starts. Arguments come in: a command, and
 * the file or the database of a store. Calls of the API go out, with lines of results, progress on the standard error
 * and an exit code.
 *
 * <p>Needs picocli ({@code info.picocli:picocli}) on the class path, Jackson to export and import, and HikariCP and
 * the driver for PostgreSQL.
 */
@NullMarked
package dev.ttlstore.cli;

import org.jspecify.annotations.NullMarked;
