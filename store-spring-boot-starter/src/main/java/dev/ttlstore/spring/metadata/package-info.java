/**
 * Holds Spring Integration's metadata store. Keys and values come in from pollers and filters, and the properties
 * {@code store.metadata-store}. They go out as entries of a group, and changes to the listeners of Spring Integration.
 */
@NullMarked
package dev.ttlstore.spring.metadata;

import org.jspecify.annotations.NullMarked;
