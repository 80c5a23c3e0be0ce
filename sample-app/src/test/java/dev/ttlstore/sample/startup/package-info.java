/** What the starter costs at the start. */
@NullMarked
package dev.ttlstore.sample.startup;

import org.jspecify.annotations.NullMarked;
