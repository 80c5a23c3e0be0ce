/**
 * Finds out whether what many threads were answered could have been answered one after the other.
 *
 * <p>Lincheck 3.7 does this too, and was tried in its stress mode on JDK 17 and 25. It finds the same faults, but it loads
 * an agent into the running JVM, which newer JDKs warn of and will refuse, rewrites classes there beside the coverage agent,
 * took up to a minute to report a seeded fault, and brings 15 MB of libraries. Its better half, the model checking, cannot look into
 * SQLite. What is needed of the rest is the search, which is one class.
 */
@NullMarked
package dev.ttlstore.contract.linear;

import org.jspecify.annotations.NullMarked;
