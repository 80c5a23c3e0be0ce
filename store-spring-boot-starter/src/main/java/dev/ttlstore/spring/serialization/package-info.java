/** Values of any class, for the interfaces of Spring whose values have no declared class. */
@NullMarked
package dev.ttlstore.spring.serialization;

import org.jspecify.annotations.NullMarked;
