/**
 * Types of values. The classes find the types that injection points, methods and properties declare, and list the
 * classes that adapters may serialize.
 */
@NullMarked
package dev.ttlstore.spring.values;

import org.jspecify.annotations.NullMarked;
