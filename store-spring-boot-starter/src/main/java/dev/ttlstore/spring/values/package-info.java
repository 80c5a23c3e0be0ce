/**
 * Holds what the starter knows of the types of values. Injection points, methods, names in properties and libraries on
 * the class path come in. Types go out, and the classes that may be serialized.
 */
@NullMarked
package dev.ttlstore.spring.values;

import org.jspecify.annotations.NullMarked;
