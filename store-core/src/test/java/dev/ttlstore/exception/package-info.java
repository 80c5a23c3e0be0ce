/** Tests of what the store throws. */
@NullMarked
package dev.ttlstore.exception;

import org.jspecify.annotations.NullMarked;
