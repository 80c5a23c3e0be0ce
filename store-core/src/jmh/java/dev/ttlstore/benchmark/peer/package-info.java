/** What is measured: TTL Store and its peers behind one interface, and the data that they hold. */
@NullMarked
package dev.ttlstore.benchmark.peer;

import org.jspecify.annotations.NullMarked;
