/**
 * Holds the shared engine: the tables and statements for PostgreSQL, and what follows from other processes writing the
 * same rows. Rows and commands of the store come in, and notifications of other processes. SQL goes out through the
 * application's {@code DataSource}, and changes of other processes to the store;
 * {@link dev.ttlstore.postgresql.PostgreSql} has the settings.
 *
 * <p>Everything but {@code PostgreSql} is internal, and may change in any release.
 */
@NullMarked
package dev.ttlstore.postgresql;

import org.jspecify.annotations.NullMarked;
