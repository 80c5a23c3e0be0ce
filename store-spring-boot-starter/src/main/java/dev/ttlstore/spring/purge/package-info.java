/** The scheduled job that purges expired entries. */
@NullMarked
package dev.ttlstore.spring.purge;

import org.jspecify.annotations.NullMarked;
