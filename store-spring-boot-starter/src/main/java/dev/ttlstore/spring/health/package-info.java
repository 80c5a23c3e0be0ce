/**
 * Holds the health indicator of stores. Requests for the health come in from the actuator. One read and one write go
 * out to each store, and its status goes back, with the state of purges and backups, and what to do about a failure.
 */
@NullMarked
package dev.ttlstore.spring.health;

import org.jspecify.annotations.NullMarked;
