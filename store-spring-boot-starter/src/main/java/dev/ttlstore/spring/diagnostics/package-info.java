/**
 * Failure analyzers of the starter. Each turns an exception at start-up into a description that names the property,
 * the dependency or the code to change.
 */
@NullMarked
package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.NullMarked;
