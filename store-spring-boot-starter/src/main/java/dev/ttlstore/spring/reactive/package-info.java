/** Non-blocking calls of the store for reactive applications. */
@NullMarked
package dev.ttlstore.spring.reactive;

import org.jspecify.annotations.NullMarked;
