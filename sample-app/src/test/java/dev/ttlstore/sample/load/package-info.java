/** How much the sample bears. */
@NullMarked
package dev.ttlstore.sample.load;

import org.jspecify.annotations.NullMarked;
