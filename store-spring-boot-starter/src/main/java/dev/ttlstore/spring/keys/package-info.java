/**
 * Keys for adapters. They turn text of any length and with any characters into a valid key of the store: the text
 * itself, or its hash.
 */
@NullMarked
package dev.ttlstore.spring.keys;

import org.jspecify.annotations.NullMarked;
