/** Durable expiry: what to do when entries expire, and what has become of it. */
@NullMarked
package dev.ttlstore.expiry;

import org.jspecify.annotations.NullMarked;
