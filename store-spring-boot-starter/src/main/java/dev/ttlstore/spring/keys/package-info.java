/**
 * Holds the encoding of text that clients choose, such as the names of users. Text of any length and with any
 * characters comes in from adapters. A valid key of the store goes out, which is the text itself or its hash, or bytes
 * that decode to the same text.
 */
@NullMarked
package dev.ttlstore.spring.keys;

import org.jspecify.annotations.NullMarked;
