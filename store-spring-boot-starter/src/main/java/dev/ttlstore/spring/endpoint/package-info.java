/**
 * Holds the Actuator endpoint of stores. Requests of operators come in. Names and figures go out, never keys or
 * values; with unrestricted access, purges and deletions go to the store.
 */
@NullMarked
package dev.ttlstore.spring.endpoint;

import org.jspecify.annotations.NullMarked;
