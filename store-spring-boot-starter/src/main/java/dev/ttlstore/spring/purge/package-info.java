/** The scheduled purge of expired entries. */
@NullMarked
package dev.ttlstore.spring.purge;

import org.jspecify.annotations.NullMarked;
