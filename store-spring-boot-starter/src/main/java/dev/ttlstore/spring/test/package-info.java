/**
 * Test support: stores in memory, and a clock that tests move. Start with
 * {@link dev.ttlstore.spring.test.AutoConfigureTestStore}.
 */
@NullMarked
package dev.ttlstore.spring.test;

import org.jspecify.annotations.NullMarked;
