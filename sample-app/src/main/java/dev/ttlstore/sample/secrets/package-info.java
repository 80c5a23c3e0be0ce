/** Secrets: sending, reading and taking them back, by pages and by the API. */
@NullMarked
package dev.ttlstore.sample.secrets;

import org.jspecify.annotations.NullMarked;
