/** A store that is simple enough to be believed, and the comparison of long random runs of a real one with it. */
@NullMarked
package dev.ttlstore.contract.model;

import org.jspecify.annotations.NullMarked;
