/** How reactive applications call the store. */
@NullMarked
package dev.ttlstore.spring.reactive;

import org.jspecify.annotations.NullMarked;
