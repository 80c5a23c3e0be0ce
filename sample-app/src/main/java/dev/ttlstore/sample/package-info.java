/** One-time secrets for teams: the starter as a user would use it. */
@NullMarked
package dev.ttlstore.sample;

import org.jspecify.annotations.NullMarked;
