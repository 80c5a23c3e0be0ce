/**
 * Actuator endpoint of stores. It shows names and figures, but never keys or values. With unrestricted access it also
 * purges the store and deletes groups.
 */
@NullMarked
package dev.ttlstore.spring.endpoint;

import org.jspecify.annotations.NullMarked;
