/** What native images are told of the store. */
@NullMarked
package dev.ttlstore.spring.aot;

import org.jspecify.annotations.NullMarked;
