/**
 * Holds the failure analyzers of the starter. Exceptions come in from Spring Boot when the application cannot start. A
 * description goes out that names the property, the dependency or the code to change, and the page of the
 * documentation.
 */
@NullMarked
package dev.ttlstore.spring.diagnostics;

import org.jspecify.annotations.NullMarked;
