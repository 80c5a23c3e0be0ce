/** The store in the health endpoint. */
@NullMarked
package dev.ttlstore.spring.health;

import org.jspecify.annotations.NullMarked;
