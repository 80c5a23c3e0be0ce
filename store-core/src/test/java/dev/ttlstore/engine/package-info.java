/** Tests of the rows that pass through an engine. */
@NullMarked
package dev.ttlstore.engine;

import org.jspecify.annotations.NullMarked;
