/**
 * Holds test support: stores in memory, and a clock that tests move. Test classes come in, with their annotations and
 * properties. A store of their own goes out to their application context, and expired entries when the clock moves.
 */
@NullMarked
package dev.ttlstore.spring.test;

import org.jspecify.annotations.NullMarked;
