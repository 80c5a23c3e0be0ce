/** Tests of the rows that pass through an engine. */
@NullMarked
package dev.ttlstore.engine.support;

import org.jspecify.annotations.NullMarked;
