/**
 * A durable key-value store whose entries expire. Begin with {@link dev.ttlstore.Store#open(java.nio.file.Path)}; the place
 * for all work with keys is {@link dev.ttlstore.Group}.
 */
@NullMarked
package dev.ttlstore;

import org.jspecify.annotations.NullMarked;
