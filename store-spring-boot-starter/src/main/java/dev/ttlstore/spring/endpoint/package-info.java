/**
 * Holds the actuator endpoint of a store. Requests come in from operators, who see the store or a group, and with
 * unrestricted access purge the store or delete a group. Names and figures go out, but never keys or values.
 */
@NullMarked
package dev.ttlstore.spring.endpoint;

import org.jspecify.annotations.NullMarked;
