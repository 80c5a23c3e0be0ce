/** The sample: one-time secrets for teams, with the starter as an application uses it. */
@NullMarked
package dev.ttlstore.sample;

import org.jspecify.annotations.NullMarked;
