/** Health indicator of stores. It shows the status of each store and what to do about a failure. */
@NullMarked
package dev.ttlstore.spring.health;

import org.jspecify.annotations.NullMarked;
