/**
 * Holds the types of values. Injection points, methods, and names in properties come in. The types that they declare
 * go out, and lists of the classes that Spring and related libraries put into sessions, caches and messages.
 */
@NullMarked
package dev.ttlstore.spring.values;

import org.jspecify.annotations.NullMarked;
