/** The scheduler of the starter's own jobs. */
@NullMarked
package dev.ttlstore.spring.scheduling;

import org.jspecify.annotations.NullMarked;
