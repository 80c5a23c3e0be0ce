/** Runtime hints for native images. */
@NullMarked
package dev.ttlstore.spring.aot;

import org.jspecify.annotations.NullMarked;
