/** Failure analyzers, which describe start-up failures. */
@NullMarked
package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.NullMarked;
