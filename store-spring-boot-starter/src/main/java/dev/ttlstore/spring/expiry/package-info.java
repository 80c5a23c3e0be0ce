/** Methods of beans that handle expired entries. */
@NullMarked
package dev.ttlstore.spring.expiry;

import org.jspecify.annotations.NullMarked;
