/** Tests of the house itself: its architecture, and that each promise is held by a test. */
@NullMarked
package dev.ttlstore;

import org.jspecify.annotations.NullMarked;
