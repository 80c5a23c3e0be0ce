/** Tests. */
@NullMarked
package dev.ttlstore.spring.scheduling;

import org.jspecify.annotations.NullMarked;
