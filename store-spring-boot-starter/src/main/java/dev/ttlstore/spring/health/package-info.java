/**
 * Holds the health indicator of stores. Checks, failures and backups of the stores come in. The status goes out to
 * Actuator, with what to do.
 */
@NullMarked
package dev.ttlstore.spring.health;

import org.jspecify.annotations.NullMarked;
