/**
 * Holds Spring Integration's metadata store. Keys and values come in as texts, and may expire. They go out to one
 * group of the store, whose changes go back to the listeners of Spring Integration.
 */
@NullMarked
package dev.ttlstore.spring.metadata;

import org.jspecify.annotations.NullMarked;
