/** Test support: a store in memory, and a clock that tests move. */
@NullMarked
package dev.ttlstore.spring.test;

import org.jspecify.annotations.NullMarked;
