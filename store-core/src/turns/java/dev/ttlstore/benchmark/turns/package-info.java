/** Measuring by turns, for the benchmarks of all modules. */
@NullMarked
package dev.ttlstore.benchmark.turns;

import org.jspecify.annotations.NullMarked;
