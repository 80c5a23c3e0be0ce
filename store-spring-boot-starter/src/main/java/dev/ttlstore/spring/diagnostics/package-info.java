/**
 * Holds the failure analyzers of the starter. Exceptions of the start of an application come in. A description goes
 * out that names the property, the dependency or the code that mends it.
 */
@NullMarked
package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.NullMarked;
