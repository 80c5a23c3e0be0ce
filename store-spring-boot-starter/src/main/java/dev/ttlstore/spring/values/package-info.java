/** The types of values that injection points and methods declare, and the classes of values that come from Spring. */
@NullMarked
package dev.ttlstore.spring.values;

import org.jspecify.annotations.NullMarked;
