/**
 * Holds keys of a store that are made of the keys of other libraries. Texts of any length and with any characters come
 * in from adapters. Valid keys go out: the text itself, or its hash.
 */
@NullMarked
package dev.ttlstore.spring.keys;

import org.jspecify.annotations.NullMarked;
