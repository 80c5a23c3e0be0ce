/** The types of values that injection points and methods declare. */
@NullMarked
package dev.ttlstore.spring.values;

import org.jspecify.annotations.NullMarked;
