/** ShedLock's locks in a store. */
@NullMarked
package dev.ttlstore.spring.lock;

import org.jspecify.annotations.NullMarked;
