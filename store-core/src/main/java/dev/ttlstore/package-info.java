/**
 * A durable key-value store whose entries expire. Start with {@link dev.ttlstore.Store#open(java.nio.file.Path)}.
 * {@link dev.ttlstore.Group} is the interface for all work with keys.
 */
@NullMarked
package dev.ttlstore;

import org.jspecify.annotations.NullMarked;
