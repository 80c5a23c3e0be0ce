/**
 * Native image hints of the starter and its libraries. They name the classes and resources that these look up by name
 * at run time.
 */
@NullMarked
package dev.ttlstore.spring.aot;

import org.jspecify.annotations.NullMarked;
