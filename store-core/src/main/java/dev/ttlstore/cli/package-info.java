/**
 * The command line for operators: {@link dev.ttlstore.cli.Main}. Needs picocli ({@code info.picocli:picocli}) on the class path,
 * Jackson to export and import, and HikariCP and the driver for PostgreSQL.
 *
 * <p>Belongs here: options, what is printed, and exit codes. What a command does is the API's part.
 */
@NullMarked
package dev.ttlstore.cli;

import org.jspecify.annotations.NullMarked;
