/**
 * Holds test support: stores in memory, and a clock that tests move. The application's configuration and the
 * annotations of a test class come in. The same beans go out with their stores in memory, and with
 * {@link dev.ttlstore.spring.test.AutoConfigureTestStore} also a {@link dev.ttlstore.spring.test.TestClock}.
 */
@NullMarked
package dev.ttlstore.spring.test;

import org.jspecify.annotations.NullMarked;
