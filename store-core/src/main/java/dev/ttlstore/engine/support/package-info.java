/**
 * Code that engines share, and that the store itself uses in front of them. Depends on {@code dev.ttlstore.engine} and
 * {@code dev.ttlstore.exception} only.
 */
@NullMarked
package dev.ttlstore.engine.support;

import org.jspecify.annotations.NullMarked;
