/** Tests of the engine for PostgreSQL: the contract, a server for them, and the faults of a server and of a network. */
@NullMarked
package dev.ttlstore.postgresql;

import org.jspecify.annotations.NullMarked;
