/** A store in memory, and a clock that tests move, for the tests of applications. */
@NullMarked
package dev.ttlstore.spring.test;

import org.jspecify.annotations.NullMarked;
