/** Tests of the rows that pass through an engine. */
@NullMarked
package dev.ttlstore.shared;

import org.jspecify.annotations.NullMarked;
