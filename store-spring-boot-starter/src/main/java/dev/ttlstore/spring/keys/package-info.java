/** Keys of a store that are made of other libraries' keys. */
@NullMarked
package dev.ttlstore.spring.keys;

import org.jspecify.annotations.NullMarked;
