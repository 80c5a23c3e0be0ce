/**
 * Holds the native image hints of the starter: what it and its libraries look up by name at run time. Classes on the
 * class path come in while an application is compiled ahead of time. Hints for reflection, resources and serialization
 * go out.
 */
@NullMarked
package dev.ttlstore.spring.aot;

import org.jspecify.annotations.NullMarked;
