/**
 * The shared engine: PostgreSQL, for applications with several instances.
 *
 * <p>Belongs here: the statements, the tables, and what follows from the fact that other processes write the same rows. Must
 * depend on the SPI and on exceptions only, and on no class of the driver.
 */
@NullMarked
package dev.ttlstore.postgresql;

import org.jspecify.annotations.NullMarked;
