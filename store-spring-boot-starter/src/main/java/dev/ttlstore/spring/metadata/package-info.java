/** Spring Integration's metadata in a store. */
@NullMarked
package dev.ttlstore.spring.metadata;

import org.jspecify.annotations.NullMarked;
