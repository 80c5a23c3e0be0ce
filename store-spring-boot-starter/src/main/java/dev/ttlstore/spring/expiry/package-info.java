/** Methods of beans that are called when entries expire. */
@NullMarked
package dev.ttlstore.spring.expiry;

import org.jspecify.annotations.NullMarked;
