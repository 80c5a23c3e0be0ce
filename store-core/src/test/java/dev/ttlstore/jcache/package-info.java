/** Tests. */
@NullMarked
package dev.ttlstore.jcache;

import org.jspecify.annotations.NullMarked;
