/**
 * Holds the Micrometer observations of a store's calls. Stores of the context come in, and each is replaced by a
 * proxy. Calls go out to the store, and their observations to the registry, as spans and timers that never have a key
 * or a value.
 */
@NullMarked
package dev.ttlstore.spring.observation;

import org.jspecify.annotations.NullMarked;
