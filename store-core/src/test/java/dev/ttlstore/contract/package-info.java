/** The contract kit: what every store promises, whatever its engine. An engine's own test extends one class of it. */
@NullMarked
package dev.ttlstore.contract;

import org.jspecify.annotations.NullMarked;
