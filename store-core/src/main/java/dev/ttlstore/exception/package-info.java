/**
 * Holds the exceptions of the store: one class per cause that a program may want to handle. Facts come in from where
 * something has failed. They go out as fields, with a message that says what happened and what to do, and in which no
 * value and no unprintable character appears.
 */
@NullMarked
package dev.ttlstore.exception;

import org.jspecify.annotations.NullMarked;
